import HTTPFields
package import NIOCore

/// Splits a client's bytes into requests, one event at a time, so that the caller knows exactly at which byte an event
/// ends.
package struct RequestParser {
    package enum Event: Hashable {
        case head(RequestHead)
        /// The next piece of the body, without its framing.
        case body(ByteBuffer)
        case ended
        /// The bytes after this cannot be parsed.
        case bad(BadRequest)
    }

    package struct BadRequest: Hashable {
        package var status: Int
        package var reason: String
    }

    static let maximumHead = 256 * 1024
    /// Limit of a chunk size with its extensions, and of a single trailer line.
    static let maximumLine = 8 * 1024

    private enum State {
        case head
        case body(left: Int64)
        case chunkSize
        case chunk(left: Int64)
        case chunkEnd
        case trailers(bytes: Int)
        case ended
        case failed
    }

    private enum Line {
        case incomplete
        case complete(ArraySlice<UInt8>)
        case bad(BadRequest)
    }

    private var state = State.head
    /// Bytes at the front of the input that were scanned already, so that a head arriving byte by byte takes linear
    /// time.
    private var scanned = 0
    private var lineStart = 0

    package init() {}

    /// True while a body is being received.
    var isInsideBody: Bool {
        switch state {
        case .body, .chunkSize, .chunk, .chunkEnd, .trailers: true
        case .head, .ended, .failed: false
        }
    }

    /// Returns the next event, or nil when it needs more bytes; a piece of body has at most `limit` bytes.
    package mutating func next(_ input: inout ByteBuffer, atMost limit: Int = .max) -> Event? {
        while true {
            switch state {
            case .head:
                return head(&input)
            case .body(left: 0), .ended:
                state = .head
                return .ended
            case .body(let left):
                guard let part = piece(of: left, &input, limit) else { return nil }
                state = .body(left: left - Int64(part.readableBytes))
                return .body(part)
            case .chunkSize:
                switch line(&input) {
                case .incomplete: return nil
                case .bad(let bad): return fail(bad.status, bad.reason)
                case .complete(let text):
                    guard let size = RequestParser.chunkSize(text) else {
                        return fail(400, "a chunk's size is not a hexadecimal number")
                    }
                    state = size == 0 ? .trailers(bytes: 0) : .chunk(left: size)
                }
            case .chunk(left: 0):
                state = .chunkEnd
            case .chunk(let left):
                guard let part = piece(of: left, &input, limit) else { return nil }
                state = .chunk(left: left - Int64(part.readableBytes))
                return .body(part)
            case .chunkEnd:
                guard let end = input.getBytes(at: input.readerIndex, length: min(2, input.readableBytes)) else {
                    return nil
                }
                guard end.elementsEqual([0x0D, 0x0A].prefix(end.count)) else {
                    return fail(400, "a chunk is longer than its size says")
                }
                guard end.count == 2 else { return nil }
                input.moveReaderIndex(forwardBy: 2)
                state = .chunkSize
            case .trailers(let bytes):
                switch line(&input) {
                case .incomplete: return nil
                case .bad(let bad): return fail(bad.status, bad.reason)
                case .complete(let text) where text.isEmpty: state = .ended
                case .complete(let text):
                    guard bytes + text.count <= RequestParser.maximumHead else {
                        return fail(431, "the trailers are too long")
                    }
                    state = .trailers(bytes: bytes + text.count + 2)
                }
            case .failed:
                return nil
            }
        }
    }

    private func piece(of left: Int64, _ input: inout ByteBuffer, _ limit: Int) -> ByteBuffer? {
        let length = min(Int(clamping: left), input.readableBytes, limit)
        return length > 0 ? input.readSlice(length: length) : nil
    }

    private mutating func fail(_ status: Int, _ reason: String) -> Event {
        state = .failed
        return .bad(BadRequest(status: status, reason: reason))
    }

    /// Returns one line of chunked framing without its CRLF.
    private mutating func line(_ input: inout ByteBuffer) -> Line {
        var index = scanned
        var found: Int?
        do {
            let bytes = input.readableBytesUInt8Span
            while index < bytes.count, bytes[index] != 0x0A { index += 1 }
            if index < bytes.count { found = index }
        }
        guard let end = found else {
            scanned = index
            guard scanned > RequestParser.maximumLine else { return .incomplete }
            return .bad(BadRequest(status: 400, reason: "a line of the chunked coding is too long"))
        }
        scanned = 0
        guard let text = input.readBytes(length: end + 1), end > 0, text[end - 1] == 0x0D else {
            return .bad(BadRequest(status: 400, reason: "a line of the chunked coding ends in LF without CR"))
        }
        return .complete(text[..<(end - 1)])
    }

    /// Parses hexadecimal digits, then optional extensions (RFC 9112 §7.1).
    private static func chunkSize(_ text: ArraySlice<UInt8>) -> Int64? {
        let digits = HTTPFieldSyntax.trimmed(text.prefix { $0 != 0x3B })
        guard !digits.isEmpty, digits.count <= 15 else { return nil }
        var size: Int64 = 0
        for byte in digits {
            switch byte {
            case 0x30...0x39: size = size << 4 | Int64(byte - 0x30)
            case 0x41...0x46: size = size << 4 | Int64(byte - 0x41 + 10)
            case 0x61...0x66: size = size << 4 | Int64(byte - 0x61 + 10)
            default: return nil
            }
        }
        return size
    }

    /// Searches for the empty line that ends the head; refuses at the first byte that a head cannot contain.
    private mutating func head(_ input: inout ByteBuffer) -> Event? {
        var end: Int?
        var skip = 0
        do {
            let bytes = input.readableBytesUInt8Span
            var index = scanned
            while index < bytes.count, end == nil {
                let byte = bytes[index]
                let followsCR = index > lineStart && bytes[index - 1] == 0x0D
                if followsCR != (byte == 0x0A) {
                    return fail(400, byte == 0x0A ? "a line of the head ends in LF without CR" : "a CR inside the head")
                }
                if byte == 0x0A {
                    let isEmpty = index - 1 == lineStart
                    if isEmpty, lineStart > skip { end = lineStart }
                    // Empty lines before a request are ignored (RFC 9112 §2.2).
                    if isEmpty, lineStart == skip { skip = index + 1 }
                    lineStart = index + 1
                } else if byte < 0x20, byte != 0x0D, byte != 0x09 || lineStart == skip {
                    let isHello = byte == 0x16 && index == skip
                    return fail(
                        400, isHello ? "a TLS ClientHello on a port without TLS" : "a control character in the head")
                } else if byte == 0x7F {
                    return fail(400, "a control character in the head")
                }
                index += 1
            }
            scanned = index
        }
        if skip > 0 {
            input.moveReaderIndex(forwardBy: skip)
            scanned -= skip
            lineStart -= skip
        }
        guard let end else {
            if scanned > RequestParser.maximumHead { return fail(431, "the head is longer than 256 KiB") }
            return nil
        }
        return finishHead(&input, end - skip)
    }

    private mutating func finishHead(_ input: inout ByteBuffer, _ end: Int) -> Event {
        scanned = 0
        lineStart = 0
        guard end <= RequestParser.maximumHead, let text = input.readBytes(length: end) else {
            return fail(431, "the head is longer than 256 KiB")
        }
        input.moveReaderIndex(forwardBy: 2)
        switch RequestHeadParser.read(text) {
        case .failure(let bad):
            return fail(bad.status, bad.reason)
        case .success(let head):
            switch head.body {
            case .none: state = .ended
            case .length(let length): state = .body(left: length)
            case .chunked: state = .chunkSize
            }
            return .head(head)
        }
    }
}

extension RequestParser.BadRequest: Error {}
