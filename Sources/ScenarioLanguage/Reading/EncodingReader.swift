/// Converts `encoding:` into an `EncodingPlan`.
enum EncodingReader {
    static let keys: [Key<EncodingPlan>] = [
        Key(
            "coding", .oneOrMore(.word(EncodingPlan.Coding.allCases.map(\.rawValue))), required: true,
            "The codings, applied in this order; rawDeflate is deflate without the zlib wrapper."
        ) { fields, plan, _ in plan.codings = fields.texts("coding").compactMap(EncodingPlan.Coding.init(rawValue:)) },
        Key("always", .boolean, "Also encodes for clients whose Accept-Encoding does not allow it; default false.") {
            fields, plan, _ in plan.isNegotiated = fields.boolean("always") != true
        },
        Key("contentEncoding", .text, "The Content-Encoding field, or `absent`; default: the real codings.") {
            fields, plan, findings in
            plan.label = findings.fieldValue("contentEncoding", of: fields).map { $0 == "absent" ? "" : $0 }
        },
        Key("truncateBy", \.cut, "The number of bytes missing at the end of the encoded body."),
        Key("corruptByteAt", \.flippedAt, "The byte at this offset of the encoded body is wrong."),
        Key("checksum", unless: \.hasWrongChecksum, "false: the checksum at the end of gzip or deflate is wrong."),
        Key("trailingBytes", \.surplus, "Bytes after the encoded body."),
        Key("zipBomb", \.bomb, "Instead of a body: this many zero bytes, encoded."),
    ]

    static func plan(_ route: Fields, of body: Resource.Body, _ findings: inout Findings) -> EncodingPlan? {
        if let word = route.text("encoding") {
            guard let coding = EncodingPlan.Coding(rawValue: word) else { return nil }
            checkSize(route, of: body, &findings)
            return EncodingPlan([coding])
        }
        guard let fields = route.fields("encoding") else { return nil }
        var plan = EncodingPlan([])
        keys.read(fields, into: &plan, &findings)
        if plan.codings.isEmpty {
            findings.refuse(fields.place(of: "coding"), "write at least one coding, such as gzip")
        }
        if plan.codings.count > 4 {
            findings.refuse(fields.place(of: "coding"), "write at most four codings")
        }
        if plan.hasWrongChecksum, !plan.codings.contains(where: { $0 == .gzip || $0 == .deflate }) {
            findings.refuse(fields.place(of: "checksum"), "only gzip and deflate end with a checksum here")
        }
        guard let bomb = plan.bomb else {
            checkSize(route, of: body, &findings)
            return plan
        }
        for name in ["size", "text"] where route.has(name) {
            findings.refuse(route.place(of: name), "a zip bomb replaces the body; leave `\(name)` out")
        }
        if bomb.bytes > EncodingPlan.largestBomb || bomb == .zero {
            findings.refuse(fields.place(of: "zipBomb"), "a zip bomb has from 1B to 16GiB, not \(bomb)")
        }
        return plan
    }

    private static func checkSize(_ route: Fields, of body: Resource.Body, _ findings: inout Findings) {
        let then = route.fields("replacedBy")?.byteCount("size")
        let sizes = [route.byteCount("size"), then].compactMap { $0 }
        guard sizes.contains(where: { $0.bytes > EncodingPlan.longestBody }) else { return }
        findings.refuse(
            route.place(of: "encoding"), "an encoded body has at most 16MiB; for more write `encoding: { zipBomb: … }`")
    }
}
