/// A `--forward` option: connections to a name and port inside the lab are forwarded to a server on the host.
package struct Forward: Hashable, Sendable {
    package enum Treatment: Hashable, Sendable {
        /// Forwarded byte for byte, with or without TLS.
        case passthrough
        /// The lab terminates the program's TLS with a certificate of its authority, and connects to the host with new
        /// TLS or without.
        case terminate(hostUsesTLS: Bool, verification: Verification = .beyondLoopback)
    }

    /// The verification of the host's own certificate, where it uses TLS.
    package enum Verification: Hashable, Sendable {
        /// Verified, except on loopback addresses: a developer's server usually has a self-signed certificate.
        case beyondLoopback
        case never
    }

    package var name: String
    package var port: UInt16
    package var host: String
    package var hostPort: UInt16
    package var treatment: Treatment
    /// True for a server without TLS that speaks only HTTP/2. With TLS the protocol is negotiated.
    package var speaksHTTP2: Bool

    package init(
        name: String, port: UInt16, host: String, hostPort: UInt16, treatment: Treatment = .passthrough,
        speaksHTTP2: Bool = false
    ) {
        self.name = name
        self.port = port
        self.host = host
        self.hostPort = hostPort
        self.treatment = treatment
        self.speaksHTTP2 = speaksHTTP2
    }

    static let example = "api.test:443=localhost:8443"

    /// Parses `NAME:PORT=[http://|https://]HOST:PORT[,tls=passthrough|terminate|terminate-unverified][,protocol=h2]`.
    package init(parsing text: String) throws(ForwardError) {
        guard let equals = text.firstIndex(of: "=") else {
            throw .malformed(text, "it lacks a `=` between the place in the lab and the place on the host")
        }
        let (name, port) = try Forward.place(String(text[..<equals]), in: text)
        guard Forward.isHostName(name) else { throw .malformed(text, "`\(name)` is not a host name such as api.test") }
        var rest = text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false).map(
            String.init)
        var target = rest.removeFirst()
        var hostUsesTLS: Bool?
        for (scheme, isSecure) in [("http://", false), ("https://", true)] where target.hasPrefix(scheme) {
            hostUsesTLS = isSecure
            target.removeFirst(scheme.count)
        }
        var terminates = false
        var verification = Verification.beyondLoopback
        var speaksHTTP2 = false
        for option in rest {
            switch option {
            case "tls=passthrough": terminates = false
            case "tls=terminate": terminates = true
            case "tls=terminate-unverified": (terminates, verification) = (true, .never)
            case "protocol=h2": speaksHTTP2 = true
            default:
                throw .malformed(
                    text,
                    "`\(option)` is not an option; write tls=passthrough, tls=terminate, tls=terminate-unverified or protocol=h2"
                )
            }
        }
        if hostUsesTLS == true, !terminates {
            throw .malformed(
                text,
                "https:// applies only to connections with terminated TLS; add ,tls=terminate or leave the scheme out")
        }
        if speaksHTTP2, !terminates || hostUsesTLS == true {
            throw .malformed(
                text,
                "protocol=h2 applies only to servers without TLS behind tls=terminate; elsewhere TLS negotiates the protocol, so leave it out"
            )
        }
        let (host, hostPort) = try Forward.place(target, in: text)
        self.init(
            name: name.lowercased(), port: port, host: host, hostPort: hostPort,
            treatment: terminates
                ? .terminate(hostUsesTLS: hostUsesTLS ?? false, verification: verification) : .passthrough,
            speaksHTTP2: speaksHTTP2)
    }

    /// Parses `HOST:PORT`; an IPv6 address must be in brackets.
    private static func place(_ text: String, in whole: String) throws(ForwardError) -> (String, UInt16) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            throw .malformed(whole, "`\(text)` does not end in a port from 1 to 65535, such as :443")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw .malformed(whole, "an IPv6 address must be in brackets: [::1]:8443")
        }
        if host.isEmpty { throw .malformed(whole, "`\(text)` does not have a name before its port") }
        return (host, port)
    }

    private static func isHostName(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && !text.allSatisfy { $0.isNumber || $0 == "." }
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count)
                    && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
            }
    }

    /// The name and port for messages, such as `api.test:443`.
    package var place: String { "\(name):\(port)" }
    var target: String { host.contains(":") ? "[\(host)]:\(hostPort)" : "\(host):\(hostPort)" }
}

/// The reason why a forward cannot be made.
package enum ForwardError: Error, Hashable, CustomStringConvertible {
    case malformed(String, String)
    case twice(String)
    case tooMany(Int)
    case noHost(String, String)

    package var description: String {
        switch self {
        case .malformed(let text, let reason): "--forward \(text): \(reason); write for example \(Forward.example)"
        case .twice(let place): "--forward: \(place) is forwarded twice; keep one of them"
        case .tooMany(let most): "--forward: a lab has addresses for \(most) names; forward fewer"
        case .noHost(let host, let reason): "--forward to \(host): \(reason)"
        }
    }
}
