import AdaptableSession
import NIOCore
import NIOHTTP1
import Testing

/// Every response is also fed one byte at a time, because the boundaries between reads must not matter. The invalid cases
/// are those that llhttp's tests and published request-smuggling attacks use: two parsers could read them differently.
@Suite struct ResponseParserTests {
    /// The parts in a short form: `200 A=1`, `:body`, `end`; then the bytes that follow the response.
    private func parse(
        _ pieces: [ByteBuffer], method: HTTPMethod = .GET, closes: Bool = true
    ) throws(ResponseSyntaxError) -> [String] {
        var parser = ResponseParser(method: method)
        var parts: [HTTPClientResponsePart] = []
        var surplus = ""
        for piece in pieces {
            var piece = piece
            while let part = try parser.next(&piece) { parts.append(part) }
            #expect(parser.isOver || piece.readableBytes == 0)
            surplus += String(buffer: piece)
        }
        if closes, let part = try parser.inputEnded() { parts.append(part) }
        let result = parts.reduce(into: [String]()) { result, part in
            switch part {
            case .head(let head): result.append(["\(head.status.code)"].appending(head.headers))
            case .body(let bytes):
                if result.last?.hasPrefix(":") != true { result.append(":") }
                result[result.count - 1] += String(buffer: bytes)
            case .end(let trailers): result.append(["end"].appending(trailers ?? [:]))
            }
        }
        return surplus.isEmpty ? result : result + ["surplus \(surplus)"]
    }

    private func both(_ text: String, method: HTTPMethod = .GET, closes: Bool = false, are parts: [String]) throws {
        #expect(try parse([ByteBuffer(string: text)], method: method, closes: closes) == parts)
        #expect(try parse(text.utf8.map { ByteBuffer(bytes: [$0]) }, method: method, closes: closes) == parts)
    }

    private func both(_ text: String, failWith error: ResponseSyntaxError) {
        #expect(throws: error) { try parse([ByteBuffer(string: text)]) }
        #expect(throws: error) { try parse(text.utf8.map { ByteBuffer(bytes: [$0]) }) }
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"

    // MARK: Heads

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "200 Content-Length=0"),
        ("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "200 Content-Length=0"),
        ("HTTP/1.1 204 \r\n\r\n", "204"), ("HTTP/1.0 304 Not Modified\r\n\r\n", "304"),
        ("HTTP/1.9 204\r\nA: HTTP/1.2 x\r\n\r\n", "204 A=HTTP/1.2 x"), ("\r\n\nHTTP/1.1 204 No\r\n\r\n", "204"),
        ("HTTP/1.1 204 No\nA: 1\nB: 2\r\n\n", "204 A=1 B=2"),
        ("HTTP/1.1 204 No\r\nA:\t 1 \t\r\nB:\r\n\r\n", "204 A=1 B="),
        ("HTTP/1.1 204 No\r\nA: \u{FC} \u{2318}\r\n\r\n", "204 A=\u{FC} \u{2318}"),
    ])
    func `a head is read`(_ text: String, _ head: String) throws { try both(text, are: [head, "end"]) }

    @Test(arguments: [
        ("A: 1\r\n 2\r\nB: 3\r\n", "204 A=1 2 B=3"), ("A: 1 \n\t\t2\n  3\n", "204 A=1 2 3"),
        ("A:\r\n 1\r\n", "204 A= 1"),
        (" ignored: 1\r\nA: 1\r\n", "204 A=1"), ("A: 1\r\n \r\nB: 2\r\n", "204 A=1  B=2"),
    ])
    func `a folded field becomes one line`(_ fields: String, _ head: String) throws {
        try both("HTTP/1.1 204 No\r\n\(fields)\r\n", are: [head, "end"])
    }

    @Test(arguments: [
        "Content-Length: 5\r\nA: 1\r\ncontent-length:5\r\n", "Content-Length: 5, 5\r\nA: 1\r\n",
        "Content-Length: 5 ,5\r\nA: 1\r\nContent-Length: 5\r\n",
    ])
    func `a repeated length is reported once`(_ fields: String) throws {
        try both("\(Self.ok)\(fields)\r\nhello", are: ["200 Content-Length=5 A=1", ":hello", "end"])
    }

    @Test func `informational responses precede the response`() throws {
        try both(
            "HTTP/1.1 103 Early\r\nA: 1\r\n\r\nHTTP/1.1 100\r\n\r\n\(Self.ok)Content-Length: 1\r\n\r\nx",
            are: ["103 A=1", "100", "200 Content-Length=1", ":x", "end"])
    }

    @Test(
        arguments: [
            ("garbage", .notHTTP), ("HTTX/1.1 200 OK\r\n\r\n", .notHTTP), ("\u{15}\u{3}\u{1}\0\u{2}", .notHTTP),
            ("ICY 200 OK\r\n\r\n", .notHTTP), (" HTTP/1.1 200 OK\r\n\r\n", .notHTTP),
            ("HTTP/2.0 200 OK\r\n\r\n", .version), ("HTTP/1.12 200 OK\r\n\r\n", .version),
            ("HTTP/1.x 200 OK\r\n\r\n", .version), ("HTTP/3 200 OK\r\n\r\n", .version), ("HTTP/1.1\r\n\r\n", .version),
            ("HTTP/1.1 \r\n\r\n", .status), ("HTTP/1.1  200 OK\r\n\r\n", .status),
            ("HTTP/1.1 2000 OK\r\n\r\n", .status),
            ("HTTP/1.1 20 OK\r\n\r\n", .status), ("HTTP/1.1 +20 OK\r\n\r\n", .status),
            ("HTTP/1.1 200OK\r\n\r\n", .status),
            ("HTTP/1.1 200 a\rb\r\n\r\n", .lineEnd), ("HTTP/1.1 200 a\0b\r\n\r\n", .lineEnd),
            ("HTTP/1.1 200 OK\r\nA: 1", .truncated), ("HTTP", .truncated),
        ] as [(String, ResponseSyntaxError)])
    func `an invalid head is refused`(_ text: String, _ error: ResponseSyntaxError) { both(text, failWith: error) }

    /// A bare CR (RFC 9112 §2.2), a NUL (RFC 9110 §5.5) and a blank before the colon (RFC 9112 §5.1) are classic ways of
    /// hiding a field from one of two parsers.
    @Test(arguments: [
        "A: 1\rB: 2\r\n", "A: 1\0\r\n", "A: 1\u{7F}\r\n", "A: 1\u{B}\r\n", "A : 1\r\n", "A\t: 1\r\n", "A\r\n",
        ": 1\r\n",
        "A(: 1\r\n", "\u{FC}: 1\r\n", "A: 1\r\r\n", "A: 1\r\n \u{1}\r\n", "Content-Length : 5\r\n",
    ])
    func `an invalid field is refused`(_ field: String) { both("\(Self.ok)\(field)\r\n", failWith: .fieldCharacter) }

    @Test func `heads have bounds`() {
        let long = String(repeating: "x", count: 80 * 1024 + 1)
        let many = String(repeating: "A: 1\r\n", count: 256 + 1)
        for text in ["\(Self.ok)A: \(long)", "HTTP/1.1 200 \(long)", "\(Self.ok)\(long)", Self.ok + many] {
            #expect(throws: ResponseSyntaxError.tooLong) { try parse([ByteBuffer(string: text)]) }
        }
        let folded = "\(Self.ok)A: 1\r\n" + String(repeating: " 2\r\n", count: 80 * 1024 / 2)
        #expect(throws: ResponseSyntaxError.tooLong) { try parse([ByteBuffer(string: folded)]) }
    }

    // MARK: The end of a response (RFC 9112 §6.3)

    @Test func `a body has a length, chunks or ends with its connection`() throws {
        try both("\(Self.ok)Content-Length: 5\r\n\r\nhello", are: ["200 Content-Length=5", ":hello", "end"])
        try both(
            "\(Self.ok)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=\"y\"\r\n0123456789\r\n0\r\n\r\n",
            are: ["200 Transfer-Encoding=chunked", ":hello0123456789", "end"])
        try both(
            "\(Self.ok)\r\nline\r\n folded\r\n\r\n", closes: true, are: ["200", ":line\r\n folded\r\n\r\n", "end"])
        try both("\(Self.ok)\r\n", closes: true, are: ["200", "end"])
    }

    @Test(arguments: [
        "gzip", "chunked, gzip", "identity", "chunked;a=b",
    ])
    func `a body whose last coding is not chunked ends with its connection`(_ codings: String) throws {
        try both(
            "\(Self.ok)Transfer-Encoding: \(codings)\r\n\r\n5\r\nx", closes: true,
            are: ["200 Transfer-Encoding=\(codings)", ":5\r\nx", "end"])
    }

    @Test func `codings before chunked do not change the framing`() throws {
        try both(
            "\(Self.ok)Transfer-Encoding: gzip\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            are: ["200 Transfer-Encoding=gzip Transfer-Encoding=Chunked", ":x", "end"])
    }

    @Test(arguments: [("HEAD", 200), ("CONNECT", 200), ("GET", 204), ("GET", 304), ("GET", 101)])
    func `some responses come without a body`(_ method: String, _ status: Int) throws {
        for field in ["Content-Length=9", "Transfer-Encoding=chunked"] {
            let line = field.replacing("=", with: ": ")
            try both(
                "HTTP/1.1 \(status) X\r\n\(line)\r\n\r\nmore", method: HTTPMethod(rawValue: method),
                are: ["\(status) \(field)", "end", "surplus more"])
        }
    }

    @Test func `bytes after a response are left alone`() throws {
        try both(
            "\(Self.ok)Content-Length: 1\r\n\r\nxHTTP", are: ["200 Content-Length=1", ":x", "end", "surplus HTTP"])
        try both(
            "\(Self.ok)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nHTTP",
            are: ["200 Transfer-Encoding=chunked", "end", "surplus HTTP"])
    }

    @Test(
        arguments: [
            ("Content-Length: 5\r\nContent-Length: 6\r\n", .severalLengths),
            ("Content-Length: 5, 6\r\n", .severalLengths),
            ("Content-Length: 5, 05\r\n", .severalLengths), ("Content-Length: 5,\r\n", .severalLengths),
            ("Content-Length: +5\r\n", .length), ("Content-Length: -5\r\n", .length),
            ("Content-Length: 0x5\r\n", .length),
            ("Content-Length: 5 5\r\n", .length), ("Content-Length:\r\n", .length), ("Content-Length: ,\r\n", .length),
            ("Content-Length: 4\r\n 2\r\n", .length), ("Content-Length: 99999999999999999999\r\n", .length),
            ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", .severalLengths),
            ("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", .severalLengths),
            ("Transfer-Encoding: gzip\r\nContent-Length: 5\r\n", .severalLengths),
            ("Transfer-Encoding: chunked, chunked\r\n", .transferCoding),
            ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", .transferCoding),
        ] as [(String, ResponseSyntaxError)])
    func `an unclear length is refused`(_ fields: String, _ error: ResponseSyntaxError) {
        both("\(Self.ok)\(fields)\r\n", failWith: error)
    }

    @Test(
        arguments: [
            ("x", .chunkSize), ("\r\n", .chunkSize), (";a\r\n", .chunkSize), (" 1\r\n", .chunkSize),
            ("-1\r\n", .chunkSize),
            ("0x1\r\n", .chunkSize), ("1 x\r\n", .chunkSize), ("8000000000000000\r\n", .chunkSize),
            ("1;a\rb\r\n", .chunkSize), ("1;a\0\r\n", .chunkSize), ("1\n", .lineEnd), ("1;a\n", .lineEnd),
            ("1\r\nxy", .lineEnd), ("1\r\nx\n", .lineEnd), ("1\r\nx\r1\r\n", .lineEnd), ("0\r\n\n", .lineEnd),
            ("0\r\nA: 1\n", .lineEnd), ("0\r\nA : 1\r\n", .fieldCharacter), ("5\r\nhell", .truncated),
            ("0\r\n", .truncated),
        ] as [(String, ResponseSyntaxError)])
    func `an invalid chunk is refused`(_ chunk: String, _ error: ResponseSyntaxError) {
        both("\(Self.ok)Transfer-Encoding: chunked\r\n\r\n\(chunk)", failWith: error)
    }

    @Test func `blanks and extensions after a chunk size are ignored, and trailers are read`() throws {
        try both(
            "\(Self.ok)Transfer-Encoding: chunked\r\n\r\n1 \t\r\nx\r\n00001 ; a = \"b\"\r\ny\r\n0;c\r\nA: 1\r\n 2\r\nB: 3\r\n\r\n",
            are: ["200 Transfer-Encoding=chunked", ":xy", "end A=1 2 B=3"])
    }

    @Test func `a connection with Transfer-Encoding in HTTP 1.0 is not used again`() throws {
        for (version, isFaulty) in [(0, true), (1, false)] {
            var parser = ResponseParser(method: .GET)
            var bytes = ByteBuffer(string: "HTTP/1.\(version) 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            _ = try parser.next(&bytes)
            #expect(parser.mustClose == isFaulty)
        }
    }

    @Test func `a connection that closes before a response is not a truncated response`() throws {
        #expect(try parse([]) == [])
        #expect(try parse([ByteBuffer(string: "\r\n")]) == [])
        #expect(try parse([ByteBuffer(string: "HTTP/1.1 100\r\n\r\n")]) == ["100"])
    }
}

extension [String] {
    fileprivate func appending(_ fields: HTTPHeaders) -> String {
        (self + fields.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
    }
}
