import AdapterProtocol
import HTTPFields

/// Parses the complete text of a request head (RFC 9112 §3, §5, §6).
enum RequestHeadParser {
    /// - Parameter text: Lines that end in CRLF, without the empty one.
    static func read(_ text: [UInt8]) -> Result<RequestHead, RequestParser.BadRequest> {
        do {
            return .success(try head(text))
        } catch {
            return .failure(error)
        }
    }

    private static func bad(_ reason: String, status: Int = 400) -> RequestParser.BadRequest {
        RequestParser.BadRequest(status: status, reason: reason)
    }

    private static func head(_ text: [UInt8]) throws(RequestParser.BadRequest) -> RequestHead {
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: true).map { $0.dropLast() }[...]
        guard let first = lines.popFirst() else { throw bad("a head without a request line") }
        let words = first.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3 else { throw bad("the request line has \(words.count) parts instead of 3") }
        guard !words[0].isEmpty, words[0].allSatisfy(HTTPFieldSyntax.isToken) else {
            throw bad("the method is not a token")
        }
        guard !words[1].isEmpty, words[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw bad("the target has bytes that are not allowed in URLs")
        }
        let version = String(decoding: words[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw bad("the version is `\(version.prefix(20))`, not HTTP/1.0 or HTTP/1.1", status: 505)
        }
        var headers: [HeaderField] = []
        for line in lines { headers.append(try field(line)) }
        let head = RequestHead(
            method: String(decoding: words[0], as: UTF8.self), target: String(decoding: words[1], as: UTF8.self),
            minorVersion: version == "HTTP/1.1" ? 1 : 0, headers: headers)
        let hosts = head.values(of: "host")
        if hosts.count > 1 { throw bad("more than one Host field") }
        if hosts.isEmpty, head.minorVersion == 1 { throw bad("no Host field (RFC 9112 §3.2)") }
        return RequestHead(
            method: head.method, target: head.target, minorVersion: head.minorVersion, headers: headers,
            body: try framing(head))
    }

    private static func field(_ line: ArraySlice<UInt8>) throws(RequestParser.BadRequest) -> HeaderField {
        if let first = line.first, HTTPFieldSyntax.isBlank(first) { throw bad("a folded header line (RFC 9112 §5.2)") }
        guard let colon = line.firstIndex(of: 0x3A) else { throw bad("a header line without a colon") }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy(HTTPFieldSyntax.isToken) else {
            throw bad("a header name that is not a token")
        }
        let value = HTTPFieldSyntax.trimmed(line[(colon + 1)...])
        return HeaderField(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    /// Returns the framing of the body (RFC 9112 §6.3); an ambiguous one is refused.
    private static func framing(_ head: RequestHead) throws(RequestParser.BadRequest) -> RequestHead.BodyFraming {
        let codings = head.values(of: "transfer-encoding")
        let lengths = head.values(of: "content-length")
        if !codings.isEmpty {
            guard lengths.isEmpty else { throw bad("both Transfer-Encoding and Content-Length") }
            guard head.minorVersion == 1 else { throw bad("Transfer-Encoding in HTTP/1.0") }
            guard codings.count == 1, codings[0].equalsIgnoringCase("chunked") else {
                throw bad("a transfer coding other than chunked", status: 501)
            }
            return .chunked
        }
        guard let length = lengths.first else { return .none }
        guard lengths.count == 1 else { throw bad("more than one Content-Length") }
        guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bytes = Int64(length) else {
            throw bad("a Content-Length that is not a number")
        }
        return bytes == 0 ? .none : .length(bytes)
    }
}
