import HTTPFields
package import NIOCore
package import NIOHTTP1

/// The reason why received bytes are not a response.
package enum ResponseSyntaxError: Error, Hashable {
    case notHTTP, version, status, fieldCharacter, tooLong, length, severalLengths, transferCoding, chunkSize, lineEnd
    /// The connection ended inside the response.
    case truncated
}

/// Parses the response to one request of an HTTP/1.1 connection, with the informational responses before it (RFC 9112).
///
/// Tolerated, because the RFC allows it and it cannot change where a message ends: LF alone as the end of a line of the
/// head (§2.2), folded fields (§5.2), equal values of Content-Length (RFC 9110 §8.6), a later minor version (RFC 9110
/// §2.5), and empty lines before the status line. Everything that two parsers could read differently is an error.
package struct ResponseParser {
    private enum State: Hashable {
        case statusLine, fields
        case length(left: Int64), untilClose
        case chunkSize, chunk(left: Int64), chunkEnd, trailers
        /// The end of the response has been read and not returned yet.
        case end
        case over
    }

    private let method: HTTPMethod
    private var state = State.statusLine
    /// The beginning of a line whose end has not arrived.
    private var line: [UInt8] = []
    private var minorVersion = 1
    private var status = 0
    private var fields: [(String, String)] = []
    /// The length of the value of the last field, which can continue on the next line.
    private var lastLength = 0
    /// The bytes of heads, and of the empty lines before them, since the last `takeHeadBytes`.
    private var headBytes: Int64 = 0
    /// True if the framing was faulty and the connection must not serve another request.
    package private(set) var mustClose = false

    /// `method` is that of the request: the responses to HEAD and CONNECT come without a body (§6.3).
    package init(method: HTTPMethod) { self.method = method }

    /// True after the end of the response; bytes that follow stay in the buffer.
    package var isOver: Bool { state == .over }

    /// Returns the next part of the response and removes its bytes. Returns nil when more bytes are needed; then the
    /// buffer is empty, except after the end of the response.
    package mutating func next(_ buffer: inout ByteBuffer) throws(ResponseSyntaxError) -> HTTPClientResponsePart? {
        while true {
            switch state {
            case .over: return nil
            case .end:
                state = .over
                return .end(nil)
            case .statusLine:
                guard let line = try takeLine(&buffer) else { return nil }
                // Go, curl and browsers skip empty lines here, too; `ResponseLimits` counts them.
                if !line.isEmpty { try readStatusLine(line) }
            case .fields:
                guard let line = try takeLine(&buffer) else { return nil }
                if line.isEmpty { return try endHead() }
                try readField(line)
            case .length(let left):
                guard let (bytes, rest) = take(left, &buffer) else { return nil }
                state = rest == 0 ? .end : .length(left: rest)
                return .body(bytes)
            case .untilClose: return take(.max, &buffer).map { .body($0.bytes) }
            case .chunkSize:
                guard let line = try takeLine(&buffer, mayEndWithLF: false) else { return nil }
                let size = try ResponseParser.chunkSize(line)
                state = size == 0 ? .trailers : .chunk(left: size)
            case .chunk(let left):
                guard let (bytes, rest) = take(left, &buffer) else { return nil }
                state = rest == 0 ? .chunkEnd : .chunk(left: rest)
                return .body(bytes)
            case .chunkEnd:
                guard try takeLine(&buffer, mayEndWithLF: false) != nil else { return nil }
                state = .chunkSize
            case .trailers:
                guard let line = try takeLine(&buffer, mayEndWithLF: false) else { return nil }
                guard line.isEmpty else {
                    try readField(line)
                    continue
                }
                state = .over
                return .end(fields.isEmpty ? nil : HTTPHeaders(fields))
            }
        }
    }

    /// Handles the end of the connection, after `next` has returned nil. Returns the end of a response that had no
    /// length.
    package mutating func inputEnded() throws(ResponseSyntaxError) -> HTTPClientResponsePart? {
        switch state {
        case .over: return nil
        case .end, .untilClose:
            state = .over
            return .end(nil)
        // The server closed the connection instead of responding.
        case .statusLine where line.isEmpty: return nil
        default: throw .truncated
        }
    }

    /// Returns the number of bytes of heads since the last call.
    mutating func takeHeadBytes() -> Int64 {
        defer { headBytes = 0 }
        return headBytes
    }

    // MARK: Lines

    /// Removes a line with its end, CR LF or LF alone. Returns nil if its end has not arrived.
    private mutating func takeLine(
        _ buffer: inout ByteBuffer, mayEndWithLF: Bool = true
    ) throws(ResponseSyntaxError) -> [UInt8]? {
        let view = buffer.readableBytesView
        guard !view.isEmpty else { return nil }
        let end = view.firstIndex(of: ASCII.lineFeed)
        let next = end.map { $0 + 1 } ?? view.endIndex
        line += view[..<(end ?? view.endIndex)]
        if state == .statusLine || state == .fields { headBytes += Int64(next - view.startIndex) }
        buffer.moveReaderIndex(to: next)
        try checkBeginning()
        guard line.count <= ResponseLimits.lineBytes else { throw .tooLong }
        guard end != nil else { return nil }
        var whole: [UInt8] = []
        swap(&whole, &line)
        if whole.last == ASCII.carriageReturn {
            whole.removeLast()
        } else if !mayEndWithLF {
            throw .lineEnd
        }
        return whole
    }

    /// Rejects a line as soon as it cannot become valid: a server of another protocol may send no line end.
    private func checkBeginning() throws(ResponseSyntaxError) {
        guard let first = line.first, first != ASCII.carriageReturn || line.count > 1 else { return }
        switch state {
        case .statusLine:
            guard line.prefix(5).elementsEqual("HTTP/".utf8.prefix(line.count)) else { throw .notHTTP }
        case .chunkSize: if ResponseParser.hexadecimal(first) == nil { throw .chunkSize }
        case .chunkEnd: throw .lineEnd
        default: break
        }
    }

    /// Removes at most `left` bytes of a body. Returns nil if there are none.
    private func take(_ left: Int64, _ buffer: inout ByteBuffer) -> (bytes: ByteBuffer, rest: Int64)? {
        let count = Int(min(left, Int64(buffer.readableBytes)))
        guard count > 0, let bytes = buffer.readSlice(length: count) else { return nil }
        return (bytes, left - Int64(count))
    }

    /// Reads `HTTP-version SP status-code [ SP reason-phrase ]` (§4). Many servers omit the space before an empty
    /// reason.
    private mutating func readStatusLine(_ line: [UInt8]) throws(ResponseSyntaxError) {
        guard line.count > 8, line[5] == UInt8(ascii: "1"), line[6] == UInt8(ascii: "."), ASCII.isDigit(line[7]),
            line[8] == ASCII.space
        else { throw .version }
        let rest = line[9...]
        guard rest.count >= 3, rest.prefix(3).allSatisfy(ASCII.isDigit), rest.count == 3 || rest[12] == ASCII.space
        else {
            throw .status
        }
        guard !rest.contains(where: { $0 == ASCII.carriageReturn || $0 == 0 }) else { throw .lineEnd }
        minorVersion = Int(min(line[7] - UInt8(ascii: "0"), 1))
        status = rest.prefix(3).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        fields = []
        state = .fields
    }

    /// Reads `field-name ":" OWS field-value OWS` (§5).
    private mutating func readField(_ line: [UInt8]) throws(ResponseSyntaxError) {
        guard !HTTPFieldSyntax.isBlank(line[0]) else { return try continueField(line) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            // Blanks before the colon, too, because a proxy could take them for a different name (§5.1).
            line[..<colon].allSatisfy(HTTPFieldSyntax.isToken)
        else { throw .fieldCharacter }
        guard fields.count < ResponseLimits.fields else { throw .tooLong }
        let value = try ResponseParser.value(line[(colon + 1)...])
        lastLength = line.count
        fields.append((String(decoding: line[..<colon], as: UTF8.self), value))
    }

    /// Joins a folded line to the field before it (§5.2). Such a line after the status line is ignored (§2.2).
    private mutating func continueField(_ line: [UInt8]) throws(ResponseSyntaxError) {
        let value = try ResponseParser.value(line[...])
        guard !fields.isEmpty else { return }
        lastLength += line.count
        guard lastLength <= ResponseLimits.lineBytes else { throw .tooLong }
        fields[fields.count - 1].1 += " " + value
    }

    /// Returns the value without the blanks around it. RFC 9110 §5.5 calls NUL, CR and LF dangerous and the other control
    /// characters invalid.
    private static func value(_ bytes: ArraySlice<UInt8>) throws(ResponseSyntaxError) -> String {
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw .fieldCharacter }
        return String(decoding: HTTPFieldSyntax.trimmed(bytes), as: UTF8.self)
    }

    // MARK: The body

    /// Decides where the response ends (§6.3) and returns its head.
    private mutating func endHead() throws(ResponseSyntaxError) -> HTTPClientResponsePart {
        let length = try readLength()
        let codings = values("transfer-encoding").flatMap(HTTPFieldSyntax.listMembers)
        let isChunked = try ResponseParser.isChunked(codings)
        // §6.3 lets Transfer-Encoding override Content-Length, but warns that such a message may be an attempt at request smuggling.
        guard length == nil || codings.isEmpty else { throw .severalLengths }
        // §6.1: HTTP/1.0 did not define Transfer-Encoding, so the framing is faulty.
        if !codings.isEmpty, minorVersion == 0 { mustClose = true }
        if (100..<200).contains(status), status != 101 {
            state = .statusLine
        } else if method == .HEAD || status / 100 == 1 || status == 204 || status == 304
            || method == .CONNECT && status / 100 == 2
        {
            state = .end
        } else if isChunked {
            state = .chunkSize
        } else if let length, codings.isEmpty {
            state = length == 0 ? .end : .length(left: length)
        } else {
            state = .untilClose
        }
        defer { fields = [] }
        return .head(
            HTTPResponseHead(
                version: HTTPVersion(major: 1, minor: minorVersion), status: HTTPResponseStatus(statusCode: status),
                headers: HTTPHeaders(fields)))
    }

    private func values(_ name: String) -> [String] {
        fields.filter { HTTPFieldSyntax.equal($0.0, name) }.map(\.1)
    }

    /// Returns Content-Length. Equal values are replaced by one (RFC 9110 §8.6); different ones are an error, because
    /// the end of the message is not known (§6.3).
    private mutating func readLength() throws(ResponseSyntaxError) -> Int64? {
        let lines = values("content-length")
        guard let line = lines.first else { return nil }
        var text = line
        if lines.count > 1 || line.utf8.contains(UInt8(ascii: ",")) {
            let members = lines.flatMap {
                $0.split(separator: ",", omittingEmptySubsequences: false).map { HTTPFieldSyntax.trimmed($0) }
            }
            text = members[0]
            guard members.allSatisfy({ $0 == text }) else { throw .severalLengths }
            let first = fields.firstIndex { HTTPFieldSyntax.equal($0.0, "content-length") } ?? 0
            fields[first].1 = text
            var index = 0
            fields.removeAll { field in
                defer { index += 1 }
                return index > first && HTTPFieldSyntax.equal(field.0, "content-length")
            }
        }
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit), let length = Int64(text) else { throw .length }
        return length
    }

    /// Returns true if chunked is the last transfer coding; after any other the response ends with its connection (§6.3).
    /// Chunked must be applied once only (§7.1).
    private static func isChunked(_ codings: [String]) throws(ResponseSyntaxError) -> Bool {
        let places = codings.indices.filter { HTTPFieldSyntax.equal(codings[$0], "chunked") }
        guard places.count < 2 else { throw .transferCoding }
        return !places.isEmpty && places.last == codings.indices.last
    }

    /// Reads `chunk-size [ chunk-ext ]` (§7.1). Extensions are ignored (§7.1.1), but not control characters in them.
    private static func chunkSize(_ line: [UInt8]) throws(ResponseSyntaxError) -> Int64 {
        var size: Int64 = 0
        var index = 0
        while index < line.count, let digit = hexadecimal(line[index]) {
            guard size >> 59 == 0 else { throw .chunkSize }
            size = size << 4 | digit
            index += 1
        }
        guard index > 0 else { throw .chunkSize }
        guard let next = line[index...].first(where: { !HTTPFieldSyntax.isBlank($0) }) else { return size }
        guard next == UInt8(ascii: ";"), line[index...].allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw .chunkSize
        }
        return size
    }

    private static func hexadecimal(_ byte: UInt8) -> Int64? {
        switch byte {
        case 0x30...0x39: Int64(byte - 0x30)
        case 0x41...0x46: Int64(byte - 0x37)
        case 0x61...0x66: Int64(byte - 0x57)
        default: nil
        }
    }
}

private enum ASCII {
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
