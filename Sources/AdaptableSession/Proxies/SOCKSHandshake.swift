import InternetAddresses

/// The client side of a SOCKS 5 handshake (RFC 1928) with optional user name and password (RFC 1929).
package struct SOCKSHandshake: Sendable {
    package enum Action: Equatable, Sendable {
        case send([UInt8])
        /// The tunnel is open. These bytes arrived with the reply and come from the origin.
        case established(rest: [UInt8])
        case failed(Failure)
    }

    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The proxy accepted none of the offered authentication methods, or rejected the credentials.
        case notAdmitted(String)
        /// The proxy's reply code: 3 network unreachable, 4 host unreachable, 5 connection refused, …
        case refused(code: UInt8)
        case malformed(String)
        /// A host name, user name or password of more than 255 bytes.
        case tooLong(String)

        package var description: String {
            switch self {
            case .notAdmitted(let reason): "the SOCKS proxy rejected this client: \(reason)"
            case .refused(let code): "the SOCKS proxy could not connect: \(Failure.reasons[code] ?? "reply \(code)")"
            case .malformed(let reason): "the SOCKS proxy's reply is not SOCKS 5: \(reason)"
            case .tooLong(let what): "the \(what) is longer than 255 bytes, the limit of SOCKS 5"
            }
        }

        private static let reasons: [UInt8: String] = [
            1: "general failure", 2: "not allowed by its rules", 3: "network unreachable", 4: "host unreachable",
            5: "connection refused",
            6: "time to live expired", 7: "command not supported", 8: "address type not supported",
        ]
    }

    private enum State { case idle, method, login, reply, over }

    private let host: String
    private let port: Int
    private let user: [UInt8]?
    private let password: [UInt8]
    private var state = State.idle
    private var buffer: [UInt8] = []

    /// `host` is a name, which the proxy resolves, or an IP address without brackets.
    package init(host: String, port: Int, user: String? = nil, password: String? = nil) {
        self.host = host
        self.port = port
        self.user = user.map { Array($0.utf8) }
        self.password = Array((password ?? "").utf8)
    }

    package mutating func begin() -> Action {
        if host.utf8.count > 255 { return over(.failed(.tooLong("host name"))) }
        if let user, user.count > 255 || user.isEmpty { return over(.failed(.tooLong("user name"))) }
        if password.count > 255 { return over(.failed(.tooLong("password"))) }
        state = .method
        return .send(user == nil ? [5, 1, 0] : [5, 2, 0, 2])
    }

    /// Handles received bytes. Returns nil when more bytes are needed.
    package mutating func received(_ bytes: [UInt8]) -> Action? {
        buffer += bytes
        switch state {
        case .idle, .over: return over(.failed(.malformed("it sent data before the handshake required it")))
        case .method: return readMethod()
        case .login: return readLogin()
        case .reply: return readReply()
        }
    }

    package mutating func closed() -> Action? {
        switch state {
        case .idle, .over: nil
        case .method, .login, .reply: over(.failed(.malformed("it closed the connection")))
        }
    }

    private mutating func over(_ action: Action) -> Action {
        state = .over
        return action
    }

    private mutating func readMethod() -> Action? {
        guard buffer.count >= 2 else { return nil }
        guard buffer[0] == 5 else { return over(.failed(.malformed("version \(buffer[0])"))) }
        let method = buffer[1]
        buffer.removeFirst(2)
        switch method {
        case 0: return connect()
        case 2:
            guard let user else { return over(.failed(.notAdmitted("it requires a password, and none is configured"))) }
            state = .login
            return .send([1, UInt8(user.count)] + user + [UInt8(password.count)] + password)
        default:
            return over(
                .failed(
                    .notAdmitted(
                        user == nil
                            ? "it requires a password, and none is configured"
                            : "it requires another authentication method")))
        }
    }

    private mutating func readLogin() -> Action? {
        guard buffer.count >= 2 else { return nil }
        let status = buffer[1]
        buffer.removeFirst(2)
        return status == 0 ? connect() : over(.failed(.notAdmitted("the user name or password is wrong")))
    }

    private mutating func connect() -> Action {
        state = .reply
        var request: [UInt8] = [5, 1, 0]
        if let address = IPAddress(host) {
            request += [address.isV6 ? 4 : 1] + address.bytes
        } else {
            request += [3, UInt8(host.utf8.count)] + Array(host.utf8)
        }
        return .send(request + [UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port)])
    }

    private mutating func readReply() -> Action? {
        guard buffer.count >= 5 else { return nil }
        guard buffer[0] == 5 else { return over(.failed(.malformed("version \(buffer[0])"))) }
        guard buffer[1] == 0 else { return over(.failed(.refused(code: buffer[1]))) }
        let length: Int
        switch buffer[3] {
        case 1: length = 4
        case 3: length = 1 + Int(buffer[4])
        case 4: length = 16
        default: return over(.failed(.malformed("address type \(buffer[3])")))
        }
        guard buffer.count >= 4 + length + 2 else { return nil }
        return over(.established(rest: Array(buffer[(4 + length + 2)...])))
    }
}
