/// Reads the HTTP versions of an origin and its HTTP/2 options into its plan; must run before the faults are read,
/// which depend on it.
enum HTTP2Reader {
    static let fields: [Field] = [
        Field(
            "protocols", .list(.word(ApplicationProtocol.allCases.map(\.rawValue))),
            "The HTTP versions, the preferred one first; TLS negotiates them by ALPN, and h2 without TLS uses prior knowledge. Default [http/1.1]."
        ),
        Field("http2", .object(keys.fields()), "The server's HTTP/2 settings."),
    ]

    private static let keys: [Key<HTTP2Plan>] = [
        Key("settings", StreamFaultReader.settings, "In the server's first SETTINGS.") { fields, plan, _ in
            plan.settings = fields.fields("settings").map(StreamFaultReader.settings) ?? []
        },
        Key("dataFrame", \.dataFrame, "The most data in one DATA frame; default 16KiB or what the client allows."),
        Key(
            "connectionWindow", \.connectionWindow,
            "The connection's initial flow-control window for the client; default 4MiB."),
    ]

    static func read(_ fields: Fields, into plan: inout OriginPlan) -> [ScenarioError] {
        var findings = Findings()
        if fields.has("protocols") {
            let protocols = fields.texts("protocols").compactMap(ApplicationProtocol.init(rawValue:))
            if protocols.isEmpty {
                findings.refuse(fields.place(of: "protocols"), "an origin needs at least one protocol")
            }
            if Set(protocols).count < protocols.count {
                findings.refuse(fields.place(of: "protocols"), "a protocol is listed twice")
            }
            plan.protocols = protocols
        }
        // An explicit `alpn` overrides the list derived from the protocols.
        if fields.fields("tls")?.has("alpn") != true { plan.tls?.alpn = plan.protocols.map(\.rawValue) }
        guard let http2 = fields.fields("http2") else { return findings.errors }
        if !plan.protocols.contains(.http2) {
            findings.refuse(
                fields.place(of: "http2"), "the server does not speak HTTP/2; write `protocols: [h2, http/1.1]`")
        }
        keys.read(http2, into: &plan.http2, &findings)
        if let size = plan.http2.dataFrame, size == .zero || size.bytes > 1 << 14 {
            findings.refuse(http2.place(of: "dataFrame"), "a DATA frame has 1B to 16KiB here, not \(size)")
        }
        let window = plan.http2.connectionWindow
        if window == .zero || window.bytes > 0x7FFF_FFFF {
            findings.refuse(
                http2.place(of: "connectionWindow"),
                "the connection's window has from 1B to 2147483647B (RFC 9113 §6.9.1)")
        }
        return findings.errors
    }
}
