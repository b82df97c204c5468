import Record
import ScenarioLanguage

/// The queries to the lab's name servers.
struct DNSQueriesCheck: Check {
    static let key = "dnsQueries"
    static let summary = "The number of DNS queries for this host."
    static let shape = Shape.object(
        [
            Field("host", .text, required: true, "The host name."),
            Field("type", .text, "Only queries of this type, such as AAAA."),
        ] + Bounds.shape("queries"))

    private let host: String
    private let type: String?
    private let bounds: Bounds

    init(_ fields: Fields) throws(ScenarioError) {
        host = DNSQueriesCheck.plain(try fields.need("host"))
        type = fields.text("type")?.uppercased()
        bounds = try Bounds(fields)
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = record.queries.filter { query in
            DNSQueriesCheck.plain(query.fact.host) == host && (type.map { query.fact.type.uppercased() == $0 } ?? true)
        }
        guard !bounds.contains(Int64(found.count)) else { return [] }
        let kind = type.map { "\($0) " } ?? ""
        return mismatch(
            expected: "\(bounds.description("\(kind)query", plural: "\(kind)queries")) for \(host)",
            found: "\(found.count)",
            evidence: (found.isEmpty ? record.queries : found).suffix(5).map(\.moment))
    }

    /// Normalises a name: names are compared without case, and a final dot makes no difference (RFC 1035 §2.3.3).
    private static func plain(_ host: String) -> String {
        let lowered = host.lowercased()
        return lowered.hasSuffix(".") && lowered.count > 1 ? String(lowered.dropLast()) : lowered
    }
}
