import HTTPFields

/// A CONNECT request to an HTTP proxy (RFC 9110 §9.3.6). It reads the proxy's response and nothing beyond it.
package struct TunnelRequest: Sendable {
    package enum Action: Equatable, Sendable {
        case send([UInt8])
        /// The tunnel is open. These bytes arrived with the response and come from the origin.
        case established(rest: [UInt8])
        /// Any other status. `canRepeat`: the whole response has been read and the connection may carry another
        /// request.
        case refused(status: Int, fields: HeaderFields, canRepeat: Bool)
        case failed(String)
    }

    /// Limits in bytes: a response with a longer head fails, a longer body of a refusal is not read.
    private static let longestHead = 65_536
    private static let longestBody = 1 << 20
    /// The same number of informational responses as an origin may send (`ResponseLimits`); `longestHead` applies to
    /// all heads together.
    private static let mostInterim = 100

    private enum State {
        case idle, head
        case body(status: Int, HeaderFields, left: Int)
        case over
    }

    private let authority: String
    private var state = State.idle
    private var buffer: [UInt8] = []
    private var interim = 0
    /// The total length of the informational responses.
    private var interimBytes = 0

    /// `host` is a name or an IP address without brackets.
    package init(host: String, port: Int) { authority = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The request target, which Digest authentication includes in its hash: `host:port`.
    package var target: String { authority }

    /// Returns the CONNECT request. `fields` are Proxy-Authorization and User-Agent.
    package mutating func begin(_ fields: HeaderFields) -> Action {
        state = .head
        buffer = []
        interim = 0
        interimBytes = 0
        var text = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n"
        for field in fields.fields where !field.value.contains(where: \.isNewline) {
            text += "\(field.name): \(field.value)\r\n"
        }
        return .send(Array("\(text)\r\n".utf8))
    }

    /// Handles received bytes. Returns nil when more bytes are needed.
    package mutating func received(_ bytes: [UInt8]) -> Action? {
        buffer += bytes
        switch state {
        case .idle, .over: return over(.failed("the proxy sent data before the request"))
        case .head: return readHead()
        case .body(let status, let fields, let left): return readBody(status, fields, left)
        }
    }

    package mutating func closed() -> Action? {
        switch state {
        case .idle, .over: nil
        case .head: over(.failed("the proxy closed the connection instead of opening the tunnel"))
        case .body(let status, let fields, _): over(.refused(status: status, fields: fields, canRepeat: false))
        }
    }

    private mutating func over(_ action: Action) -> Action {
        state = .over
        return action
    }

    private mutating func readHead() -> Action? {
        guard let end = TunnelRequest.endOfHead(buffer) else {
            return interimBytes + buffer.count > TunnelRequest.longestHead
                ? over(.failed("the proxy's response head is too long")) : nil
        }
        // Split as bytes: in a Swift String, CR LF is one character.
        let lines = buffer[..<end].split(separator: 0x0A).map { line in
            String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
        buffer.removeFirst(end)
        let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]), (100...599).contains(status)
        else {
            return over(.failed("the proxy's response is not HTTP"))
        }
        // Informational responses precede the final one (RFC 9110 §15.2).
        if status < 200 {
            interim += 1
            interimBytes += end
            guard interim <= TunnelRequest.mostInterim, interimBytes <= TunnelRequest.longestHead else {
                return over(.failed("the proxy sends too many informational responses"))
            }
            return readHead()
        }
        if status < 300 { return over(.established(rest: buffer)) }
        var fields = HeaderFields()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields.append(String(line[..<colon]), String(line[line.index(after: colon)...]))
        }
        let closes = (fields.list("Connection") + fields.list("Proxy-Connection")).contains {
            HTTPFieldSyntax.equal($0, "close")
        }
        let isOld = words[0] == "HTTP/1.0"
        guard let length = fields["Content-Length"].flatMap({ Int($0) }),
            (0...TunnelRequest.longestBody).contains(length),
            !fields.has("Transfer-Encoding"), !closes, !isOld
        else { return over(.refused(status: status, fields: fields, canRepeat: false)) }
        return readBody(status, fields, length)
    }

    private mutating func readBody(_ status: Int, _ fields: HeaderFields, _ left: Int) -> Action? {
        let taken = min(left, buffer.count)
        buffer.removeFirst(taken)
        guard taken == left else {
            state = .body(status: status, fields, left: left - taken)
            return nil
        }
        return over(.refused(status: status, fields: fields, canRepeat: buffer.isEmpty))
    }

    /// Returns the index after the empty line; a bare LF also ends a line (RFC 9112 §2.2).
    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        var isAtStart = false
        for (index, byte) in bytes.enumerated() {
            if byte == 0x0A {
                if isAtStart { return index + 1 }
                isAtStart = true
            } else if byte != 0x0D {
                isAtStart = false
            }
        }
        return nil
    }
}
