/// Converts `encoding:` into an `EncodingPlan`.
struct EncodingReader {
    var findings = Findings()

    mutating func plan(_ route: Fields, of body: Resource.Body) -> EncodingPlan? {
        if let word = route.text("encoding") {
            guard let coding = EncodingPlan.Coding(rawValue: word) else { return nil }
            checkSize(route, of: body)
            return EncodingPlan([coding])
        }
        guard let fields = route.fields("encoding") else { return nil }
        var plan = EncodingPlan(fields.texts("coding").compactMap(EncodingPlan.Coding.init(rawValue:)))
        if plan.codings.isEmpty {
            findings.refuse(fields.place(of: "coding"), "write at least one coding, such as gzip")
        }
        if plan.codings.count > 4 {
            findings.refuse(fields.place(of: "coding"), "at most four codings, one in another")
        }
        plan.isNegotiated = fields.boolean("always") != true
        if let label = findings.fieldValue("contentEncoding", of: fields) {
            plan.label = label == "absent" ? "" : label
        }
        plan.cut = fields.byteCount("truncateBy") ?? .zero
        plan.flippedAt = fields.byteCount("corruptByteAt")
        plan.hasWrongChecksum = fields.boolean("checksum") == false
        plan.surplus = fields.text("trailingBytes") ?? ""
        plan.bomb = fields.byteCount("zipBomb")
        if plan.hasWrongChecksum, !plan.codings.contains(where: { $0 == .gzip || $0 == .deflate }) {
            findings.refuse(fields.place(of: "checksum"), "only gzip and deflate end with a checksum here")
        }
        guard let bomb = plan.bomb else {
            checkSize(route, of: body)
            return plan
        }
        for name in ["size", "text"] where route.has(name) {
            findings.refuse(route.place(of: name), "a zip bomb is the body; leave `\(name)` out")
        }
        if bomb.bytes > EncodingPlan.largestBomb || bomb == .zero {
            findings.refuse(fields.place(of: "zipBomb"), "a zip bomb has from 1B to 16GiB, not \(bomb)")
        }
        return plan
    }

    private mutating func checkSize(_ route: Fields, of body: Resource.Body) {
        let then = route.fields("replacedBy")?.byteCount("size")
        let sizes = [route.byteCount("size"), then].compactMap { $0 }
        guard sizes.contains(where: { $0.bytes > EncodingPlan.longestBody }) else { return }
        findings.refuse(
            route.place(of: "encoding"), "an encoded body has at most 16MiB; for more write `encoding: { zipBomb: … }`")
    }
}
