import Record
import NIOCore

/// Parses a client's messages to a SOCKS 5 proxy (RFC 1928, RFC 1929), one at a time.
struct SOCKSReader {
    enum Step: Hashable {
        case incomplete
        /// The reply to send before the next message can come.
        case reply([UInt8])
        case request(ProxyRequest)
        /// The reply to send before the connection is closed; the reason is for the record.
        case refused([UInt8], reply: Int?, reason: String)
        case bad(String)
    }

    private enum Phase { case greeting, login, request }

    let login: (user: String, password: String)?
    private var phase = Phase.greeting

    init(login: (user: String, password: String)?) { self.login = login }

    /// Returns the next step. Bytes after a message stay in the input.
    mutating func next(_ input: inout ByteBuffer) -> Step {
        switch phase {
        case .greeting: greeting(&input)
        case .login: credentials(&input)
        case .request: request(&input)
        }
    }

    /// VER NMETHODS METHODS.
    private mutating func greeting(_ input: inout ByteBuffer) -> Step {
        let start = input.readerIndex
        guard let version = input.getInteger(at: start, as: UInt8.self) else { return .incomplete }
        guard version == 5 else { return .bad("the version is \(version), not 5") }
        guard let count = input.getInteger(at: start + 1, as: UInt8.self),
            let methods = input.getBytes(at: start + 2, length: Int(count))
        else { return .incomplete }
        input.moveReaderIndex(forwardBy: 2 + Int(count))
        let wanted: UInt8 = login == nil ? 0 : 2
        guard methods.contains(wanted) else {
            return .refused(
                [5, 0xFF], reply: 0xFF,
                reason: login == nil
                    ? "the client offers authentication methods with a login only (methods \(methods))"
                    : "the client does not offer a login (methods \(methods))")
        }
        phase = login == nil ? .request : .login
        return .reply([5, wanted])
    }

    /// VER ULEN UNAME PLEN PASSWD.
    private mutating func credentials(_ input: inout ByteBuffer) -> Step {
        let start = input.readerIndex
        guard let version = input.getInteger(at: start, as: UInt8.self) else { return .incomplete }
        guard version == 1 else { return .bad("the version of the login is \(version), not 1 (RFC 1929 §2)") }
        guard let nameLength = input.getInteger(at: start + 1, as: UInt8.self),
            let name = input.getBytes(at: start + 2, length: Int(nameLength)),
            let length = input.getInteger(at: start + 2 + Int(nameLength), as: UInt8.self),
            let password = input.getBytes(at: start + 3 + Int(nameLength), length: Int(length))
        else { return .incomplete }
        input.moveReaderIndex(forwardBy: 3 + Int(nameLength) + Int(length))
        guard let login, name == Array(login.user.utf8), password == Array(login.password.utf8) else {
            return .refused([1, 1], reply: 1, reason: "the user name or the password is wrong")
        }
        phase = .request
        return .reply([1, 0])
    }

    /// VER CMD RSV ATYP DST.ADDR DST.PORT.
    private mutating func request(_ input: inout ByteBuffer) -> Step {
        let start = input.readerIndex
        guard let version = input.getInteger(at: start, as: UInt8.self) else { return .incomplete }
        guard version == 5 else { return .bad("the version of the request is \(version), not 5") }
        guard let command = input.getInteger(at: start + 1, as: UInt8.self),
            let kind = input.getInteger(at: start + 3, as: UInt8.self)
        else { return .incomplete }
        let length: Int
        var offset = start + 4
        switch kind {
        case 1: length = 4
        case 4: length = 16
        case 3:
            guard let count = input.getInteger(at: offset, as: UInt8.self) else { return .incomplete }
            guard count > 0 else { return .bad("an empty host name") }
            length = Int(count)
            offset += 1
        default:
            return .refused(SOCKSReader.reply(8), reply: 8, reason: "the address type \(kind) does not exist")
        }
        guard let address = input.getBytes(at: offset, length: length),
            let port = input.getInteger(at: offset + length, as: UInt16.self)
        else { return .incomplete }
        input.moveReaderIndex(to: offset + length + 2)
        guard command == 1 else {
            return .refused(SOCKSReader.reply(7), reply: 7, reason: "the command \(command) is not CONNECT")
        }
        let host =
            switch kind {
            case 1: address.map { "\($0)" }.joined(separator: ".")
            case 4: SOCKSReader.text(address)
            default: String(decoding: address, as: UTF8.self)
            }
        return .request(ProxyRequest(form: .socks5, target: ProxyTarget(host: host, port: Int(port))))
    }

    /// Returns a reply with the unspecified address.
    static func reply(_ code: UInt8) -> [UInt8] { [5, code, 0, 1, 0, 0, 0, 0, 0, 0] }

    /// Returns the reply of success with the proxy's end of the new connection (RFC 1928 §6).
    ///
    /// - Parameter boundName: The host name by which the reply states it, 1 to 255 bytes; nil: its address.
    static func succeeded(_ connection: ProxyConnection, boundName: String?) -> [UInt8] {
        let port = [
            UInt8(truncatingIfNeeded: connection.localPort >> 8), UInt8(truncatingIfNeeded: connection.localPort),
        ]
        if let name = boundName.map({ Array($0.utf8) }) { return [5, 0, 0, 3, UInt8(name.count)] + name + port }
        if let address = SOCKSReader.version4(connection.localAddress) { return [5, 0, 0, 1] + address + port }
        if let address = SOCKSReader.version6(connection.localAddress) { return [5, 0, 0, 4] + address + port }
        return reply(0)
    }

    private static func version4(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return parts.count == 4 && !parts.contains(nil) ? parts.compactMap(\.self) : nil
    }

    /// Parses an address as the kernel prints it: groups, with at most one `::`.
    private static func version6(_ text: String) -> [UInt8]? {
        let halves = text.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false).map { half in
            half.split(separator: ":").map { UInt16($0, radix: 16) }
        }
        guard !halves.contains(where: { $0.contains(nil) }) else { return nil }
        var groups = halves.first?.compactMap(\.self) ?? []
        let tail = halves.count == 2 ? halves[1].compactMap(\.self) : []
        guard groups.count + tail.count <= 8, halves.count == 2 || groups.count == 8 else { return nil }
        groups += Array(repeating: 0, count: 8 - groups.count - tail.count) + tail
        return groups.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    /// Returns eight groups, without the shorthand: `inet_pton` parses them.
    private static func text(_ bytes: [UInt8]) -> String {
        stride(from: 0, to: 16, by: 2).map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(
            separator: ":")
    }
}
