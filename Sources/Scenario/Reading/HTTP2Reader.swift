/// Reads the HTTP versions of an origin and its HTTP/2 options into its plan; must run before the faults are read,
/// which depend on it.
enum HTTP2Reader {
    static func read(_ fields: Fields, into plan: inout OriginPlan) -> [ScenarioError] {
        var findings = Findings()
        if fields.has("protocols") {
            let protocols = fields.texts("protocols").compactMap(ApplicationProtocol.init(rawValue:))
            if protocols.isEmpty {
                findings.refuse(fields.place(of: "protocols"), "an origin speaks at least one protocol")
            }
            if Set(protocols).count < protocols.count {
                findings.refuse(fields.place(of: "protocols"), "a protocol stands here twice")
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
        plan.http2.settings = http2.fields("settings").map(StreamFaultReader.settings) ?? []
        plan.http2.dataFrame = http2.byteCount("dataFrame")
        if let size = plan.http2.dataFrame, size == .zero || size.bytes > 1 << 14 {
            findings.refuse(http2.place(of: "dataFrame"), "a DATA frame has 1B to 16KiB here, not \(size)")
        }
        if let window = http2.byteCount("connectionWindow") {
            plan.http2.connectionWindow = window
            if window == .zero || window.bytes > 0x7FFF_FFFF {
                findings.refuse(
                    http2.place(of: "connectionWindow"),
                    "the connection's window has 1B to 2147483647B (RFC 9113 §6.9.1)")
            }
        }
        return findings.errors
    }
}
