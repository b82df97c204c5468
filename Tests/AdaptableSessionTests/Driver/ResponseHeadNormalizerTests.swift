import NIOCore
import NIOEmbedded
import Testing

@testable import AdaptableSession

/// Every head is also fed one byte at a time: the boundaries between reads must not matter.
@Suite struct ResponseHeadNormalizerTests {
    private func passed(_ pieces: [String], closes: Bool = false) throws -> String {
        let channel = EmbeddedChannel(handler: ResponseHeadNormalizer())
        for piece in pieces { try channel.writeInbound(ByteBuffer(string: piece)) }
        if closes { channel.pipeline.fireChannelInactive() }
        var text = ""
        while let part = try channel.readInbound(as: ByteBuffer.self) { text += String(buffer: part) }
        return text
    }

    private func both(_ text: String, becomes expected: String) throws {
        #expect(try passed([text]) == expected)
        #expect(try passed(text.utf8.map { String(decoding: [$0], as: UTF8.self) }) == expected)
    }

    @Test func `a folded field becomes one line`() throws {
        try both("HTTP/1.1 200 OK\nA: 1\n\t2\n\nbody\n 3", becomes: "HTTP/1.1 200 OK\r\nA: 1 \t2\r\n\r\nbody\n 3")
        try both(
            "HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\nB: 3\r\n\r\nbody",
            becomes: "HTTP/1.1 200 OK\r\nA: 1   2\r\nB: 3\r\n\r\nbody")
    }

    @Test func `bodies pass unchanged`() throws {
        try both(
            "HTTP/1.1 200 OK\r\n\r\nline\r\n folded\r\n\r\n again",
            becomes: "HTTP/1.1 200 OK\r\n\r\nline\r\n folded\r\n\r\n again")
    }

    @Test func `after an informational head another head is read`() throws {
        try both(
            "HTTP/1.1 103 Early\r\nA: 1\r\n 2\r\n\r\nHTTP/1.1 200 OK\r\nB: 3\r\n 4\r\n\r\n\r\n x",
            becomes: "HTTP/1.1 103 Early\r\nA: 1   2\r\n\r\nHTTP/1.1 200 OK\r\nB: 3   4\r\n\r\n\r\n x")
    }

    @Test func `bytes that are not a head are not held back`() throws {
        #expect(try passed(["garbage"]) == "garbage")
        #expect(try passed(["HTTP/1.1 200 OK\r\nA: "]) == "")
        #expect(try passed(["HTTP/1.1 200 OK\r\nA: "], closes: true) == "HTTP/1.1 200 OK\r\nA: ")
    }
}
