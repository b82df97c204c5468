import Record
import ScenarioLanguage

/// The TLS parameters of a connection to the origin (TLSV-01, TLSV-02, TLSV-04; RFC 8446, RFC 7301, RFC 6066 §3).
struct TLSCheck: Check {
    static let key = "tls"
    static let summary = "The result of the k-th completed TLS handshake."
    static let shape = Shape.object([
        Field(
            "number", .integer(1...1_000_000),
            "The number of the completed handshake in the run, counted from 1; default 1."),
        Field(
            "version", .oneOrMore(.word(["1.0", "1.1", "1.2", "1.3"])), "The version, or a list of acceptable versions."
        ),
        Field("serverName", .text, "The server name that the client sent, or `none`."),
        Field("alpn", .text, "The application protocol, or `none`."),
        Field("resumed", .boolean, "True: an earlier TLS session was resumed."),
        Field("earlyData", .word(TLSAgreement.EarlyData.allCases.map(\.rawValue)), "The result of early data."),
        Field("clientCertificate", .word(["present", "absent"]), "True: the client sent a certificate."),
        Field("count", .integer(0...1_000_000), "The number of completed handshakes in total."),
    ])

    private let number: Int
    private let versions: [String]
    private let serverName: String?
    private let alpn: String?
    private let resumed: Bool?
    private let earlyData: String?
    private let clientCertificate: String?
    private let count: Int64?

    init(_ fields: Fields) throws(ScenarioError) {
        number = fields.number()
        versions = fields.texts("version")
        serverName = fields.text("serverName")?.lowercased()
        alpn = fields.text("alpn")
        resumed = fields.boolean("resumed")
        earlyData = fields.text("earlyData")
        clientCertificate = fields.text("clientCertificate")
        count = fields.integer("count")
        try fields.requireOne(of: [
            "number", "version", "serverName", "alpn", "resumed", "earlyData", "clientCertificate", "count",
        ])
    }

    private struct Handshake {
        var version = ""
        var serverName = ""
        var agreement: TLSAgreement?
        var evidence: [RecordView.Moment] = []
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = TLSCheck.handshakes(of: record)
        if let count, count != Int64(found.count) {
            return mismatch(
                expected: counted(Int(count), "completed handshake"),
                found: counted(found.count, "completed handshake"),
                evidence: found.suffix(3).flatMap(\.evidence))
        }
        guard isForSingle else { return [] }
        guard number <= found.count else {
            return mismatch(
                expected: "completed handshake \(number)", found: counted(found.count, "completed handshake"),
                evidence: record.connections.suffix(3).map(\.moment))
        }
        let handshake = found[number - 1]
        let agreement = handshake.agreement
        let compared: [(String, String?, String)] = [
            ("server name", serverName, handshake.serverName), ("ALPN", alpn, agreement?.alpn ?? "none"),
            ("resumed", resumed.map { "\($0)" }, "\(agreement?.isResumed ?? false)"),
            ("early data", earlyData, (agreement?.earlyData ?? .notSent).rawValue),
            ("client certificate", clientCertificate, agreement?.clientCertificate == nil ? "absent" : "present"),
        ]
        var differences = compared.filter { $0.1 != nil && $0.1 != $0.2 }.map {
            ("\($0.0) \($0.1 ?? "")", "\($0.0) \($0.2)")
        }
        if !versions.isEmpty, !versions.contains(handshake.version) {
            differences.append(("TLS \(versions.joined(separator: " or "))", "TLS \(handshake.version)"))
        }
        guard !differences.isEmpty else { return [] }
        return mismatch(
            expected: "handshake \(number): " + differences.map(\.0).joined(separator: ", "),
            found: differences.map(\.1).joined(separator: ", "), evidence: handshake.evidence)
    }

    private var isForSingle: Bool {
        !versions.isEmpty || serverName != nil || alpn != nil || resumed != nil || earlyData != nil
            || clientCertificate != nil
            || count == nil
    }

    private static func handshakes(of record: RecordView) -> [Handshake] {
        var agreements: [Int: (TLSAgreement, RecordView.Moment)] = [:]
        var found: [Handshake] = []
        for (fact, moment) in record.tls {
            switch fact {
            case .tlsAgreed(let connection, let agreement): agreements[connection] = (agreement, moment)
            case .tlsEstablished(let connection, let version, let name):
                let agreed = agreements[connection]
                found.append(
                    Handshake(
                        version: version, serverName: name?.lowercased() ?? "none", agreement: agreed?.0,
                        evidence: (agreed.map { [$0.1] } ?? []) + [moment]))
            default: break
            }
        }
        return found
    }
}
