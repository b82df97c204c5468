import AdapterProtocol
import InternetAddresses

/// Converts the protocol classes of a session into their descriptions.
struct ProtocolReader {
    static let shape = Shape.choice(
        [
            Field("response", response, "The class's response to each request, without a connection."),
            Field(
                "forward", .text,
                "A path or URL: the class loads it through its own session and forwards the result."),
        ],
        beside: [
            Field("scheme", .text, "The class accepts requests whose URL has this scheme, such as moof; default any."),
            Field("host", .text, "The class accepts requests for this host; default any."),
            Field(
                "registered", .boolean,
                "True: registered with the process instead of listed in the session; default false."),
        ])

    private static let response = Shape.either([
        .text,
        .object([
            Field("status", .integer(100...599), "Default 200."),
            Field("headers", .headers, "Header fields of the response."),
            Field("text", .text, "The body; default none."),
        ]),
    ])

    var findings = Findings()
    /// If true, paths become https URLs.
    let isSecure: Bool

    init(isSecure: Bool) { self.isSecure = isSecure }

    mutating func classes(_ fields: Fields) -> [ProtocolClass] {
        (fields.value("protocolClasses")?.elements ?? []).compactMap { value in
            value.fields.flatMap { protocolClass($0) }
        }
    }

    private mutating func protocolClass(_ fields: Fields) -> ProtocolClass? {
        guard let response = response(fields) else { return nil }
        let scheme = fields.text("scheme")
        let host = fields.text("host")
        if let scheme, !Self.isScheme(scheme) {
            findings.refuse(
                fields.place(of: "scheme"),
                "`\(scheme.shortened)` is not a URL scheme; write letters, digits, + and -, such as moof")
        }
        if let host, !HTTPHeadSyntax.isHost(host), IPv6Address(host) == nil {
            findings.refuse(
                fields.place(of: "host"),
                "`\(host.shortened)` is not a host; write one such as \(RequestTarget.defaultHost)")
        }
        if scheme == nil, host == nil {
            findings.refuse(fields.place, "the class would accept every request; limit it with `scheme` or `host`")
        }
        return ProtocolClass(
            scheme: scheme?.lowercased(), host: host?.lowercased(), response: response,
            isRegistered: fields.boolean("registered") ?? false)
    }

    private mutating func response(_ fields: Fields) -> ProtocolClass.Response? {
        if let forward = fields.text("forward") {
            let place = fields.place(of: "forward")
            let secure = isSecure
            let target = findings.attempt { () throws(ScenarioError) in
                try RequestTarget.parse(forward, secure: secure, at: place)
            }
            guard let target else { return nil }
            if target.host == nil {
                findings.refuse(
                    place, "`forward` is `\(forward.shortened)`; a class forwards to a path or to an http or https URL")
            }
            return .forwarded(to: target.url)
        }
        if let text = fields.text("response") { return .canned(status: 200, headers: [], body: Array(text.utf8)) }
        guard let response = fields.fields("response") else { return nil }
        return .canned(
            status: response.int("status") ?? 200,
            headers: findings.headers("headers", of: response),
            body: Array((response.text("text") ?? "").utf8))
    }

    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, HTTPHeadSyntax.isAlphanumeric(first), !(0x30...0x39).contains(first) else {
            return false
        }
        return text.utf8.allSatisfy { HTTPHeadSyntax.isAlphanumeric($0) || $0 == 0x2B || $0 == 0x2D }
    }
}
