/// A message of HTTP/1 in a stream.
struct HTTP1Message: Hashable, Sendable {
    /// The words of the first line.
    var line: [String]
    /// The place of head and body in the stream.
    var range: Range<Int>
    /// The bytes of content, without the marks of chunks.
    var bodyCount = 0
    var isChunked = false
    private var fields: [String: String]

    init(line: [String], fields: [String: String], range: Range<Int>) {
        self.line = line
        self.fields = fields
        self.range = range
    }

    var method: String { line[0] }
    var target: String { line[1] }
    var status: Int { Int(line[1]) ?? 0 }
    /// The value of a field by its lowercased name.
    subscript(name: String) -> String? { fields[name] }
}

/// Separates the messages of one direction of an HTTP/1 connection (RFC 9112). A message that is not complete is left
/// out, and so is everything after one that is not valid.
enum HTTP1Reader {
    /// A longer head is not HTTP.
    private static let mostHead = 1 << 20

    static func isRequest(_ bytes: [UInt8]) -> Bool {
        guard let head = head(bytes, from: 0), head.line.count == 3 else { return false }
        return head.line[2].hasPrefix("HTTP/1.") && head.line[0].allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") }
    }

    static func requests(_ bytes: [UInt8]) -> [HTTP1Message] {
        var messages: [HTTP1Message] = []
        var offset = 0
        while var message = head(bytes, from: offset), message.line.count == 3, message.line[2].hasPrefix("HTTP/1.") {
            guard addBody(&message, bytes, endsWithStream: false) else { break }
            messages.append(message)
            offset = message.range.upperBound
            if message.method == "CONNECT" { break }
        }
        return messages
    }

    /// Returns the final responses; `methods` are those of the requests.
    static func responses(_ bytes: [UInt8], methods: [String]) -> [HTTP1Message] {
        var messages: [HTTP1Message] = []
        var offset = 0
        while messages.count < methods.count, var message = head(bytes, from: offset), message.line.count >= 2,
            message.line[0].hasPrefix("HTTP/1.")
        {
            let isInterim = (100..<200).contains(message.status) && message.status != 101
            let hasBody =
                methods[messages.count] != "HEAD" && message.status >= 200 && ![204, 304].contains(message.status)
            guard !hasBody || addBody(&message, bytes, endsWithStream: true) else { break }
            offset = message.range.upperBound
            if !isInterim { messages.append(message) }
            if message.status == 101 { break }
        }
        return messages
    }

    private static func head(_ bytes: [UInt8], from start: Int) -> HTTP1Message? {
        var lines: [String] = []
        var offset = start
        while let end = lineEnd(bytes, from: offset), end - start <= mostHead {
            let line = String(decoding: bytes[offset..<end], as: UTF8.self)
            offset = end + 2
            if line.isEmpty {
                guard let first = lines.first else { return nil }
                let fields = lines.dropFirst().compactMap { line -> (String, String)? in
                    guard let colon = line.firstIndex(of: ":") else { return nil }
                    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
                    return (
                        line[..<colon].lowercased(),
                        String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
                    )
                }
                return HTTP1Message(
                    line: first.split(separator: " ").map(String.init),
                    fields: Dictionary(fields, uniquingKeysWith: { first, _ in first }), range: start..<offset)
            }
            lines.append(line)
        }
        return nil
    }

    private static func lineEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        var offset = start
        let last = min(bytes.count, start + mostHead) - 1
        while offset < last {
            if bytes[offset] == 13, bytes[offset + 1] == 10 { return offset }
            offset += 1
        }
        return nil
    }

    /// Extends the range over the body; false if the body is not complete or not valid.
    private static func addBody(_ message: inout HTTP1Message, _ bytes: [UInt8], endsWithStream: Bool) -> Bool {
        var end = message.range.upperBound
        if message["transfer-encoding"]?.lowercased().hasSuffix("chunked") == true {
            message.isChunked = true
            while let line = lineEnd(bytes, from: end) {
                let digits = bytes[end..<line].prefix { $0 != UInt8(ascii: ";") }
                guard let size = Int(String(decoding: digits, as: UTF8.self).filter { $0 != " " }, radix: 16),
                    size >= 0,
                    size <= bytes.count
                else { return false }
                end = line + 2
                if size == 0 { return skipTrailers(&message, bytes, from: end) }
                guard end + size + 2 <= bytes.count else { return false }
                message.bodyCount += size
                end += size + 2
            }
            return false
        }
        if let length = message["content-length"] {
            guard let size = Int(length), size >= 0, size <= bytes.count - end else { return false }
            message.bodyCount = size
            end += size
        } else if endsWithStream {
            message.bodyCount = bytes.count - end
            end = bytes.count
        }
        message.range = message.range.lowerBound..<end
        return true
    }

    private static func skipTrailers(_ message: inout HTTP1Message, _ bytes: [UInt8], from start: Int) -> Bool {
        var end = start
        while let line = lineEnd(bytes, from: end) {
            let isLast = line == end
            end = line + 2
            if isLast {
                message.range = message.range.lowerBound..<end
                return true
            }
        }
        return false
    }
}
