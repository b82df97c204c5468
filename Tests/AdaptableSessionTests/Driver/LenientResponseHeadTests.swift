import Testing

@testable import AdaptableSession

/// Deviations that RFC 9112 lets a recipient tolerate are rewritten; everything else must stay byte for byte, so that
/// the decoder evaluates the received bytes.
@Suite struct LenientResponseHeadTests {
    private func strict(_ head: String) -> String {
        String(decoding: LenientResponseHead.strict(Array(head.utf8)[...]), as: UTF8.self)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.0 200 OK\r\nA: 1\r\n\r\n", "HTTP/1.1 200\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: +5\r\nContent-Length: +5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5,\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5, 05\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length : 5\r\nContent-Length : 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX-Content-Length: 5\r\nContent-Lengths: 5\r\n\r\n", "HTTP/1.1 200 OK\r\nA: 1\rB: 2\r\n\r\n",
        "HTTP/2.0 200 OK\r\n\r\n", "HTTP/1.12 200 OK\r\n\r\n", "HTTP/1.x 200 OK\r\n\r\n", "HTTP/3 200 OK\r\n\r\n",
    ])
    func `a strict or invalid head stays unchanged`(_ head: String) { #expect(strict(head) == head) }

    @Test func `lines that end in LF only are changed to end in CRLF`() {
        #expect(strict("HTTP/1.1 200 OK\nA: 1\nB: 2\r\n\n") == "HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\n\r\n")
        #expect(strict("HTTP/1.1 200 OK\nA: 1\n 2\n\r\n") == "HTTP/1.1 200 OK\r\nA: 1  2\r\n\r\n")
    }

    @Test(arguments: [
        "Content-Length: 5\r\nA: 1\r\ncontent-length:5\r\n", "CONTENT-LENGTH: 5, 5\r\nA: 1\r\n",
        "Content-Length: 5 ,5\r\nA: 1\r\nContent-Length: 5\r\n",
    ])
    func `a repeated length is written once`(_ fields: String) {
        let name = fields.prefix(14)
        #expect(strict("HTTP/1.1 200 OK\r\n\(fields)\r\n") == "HTTP/1.1 200 OK\r\n\(name): 5\r\nA: 1\r\n\r\n")
    }

    @Test func `a later minor version is read as the latest known one`() {
        #expect(strict("HTTP/1.2 200 OK\r\n\r\n") == "HTTP/1.1 200 OK\r\n\r\n")
        #expect(strict("HTTP/1.9 204\r\nA: HTTP/1.2 x\r\n\r\n") == "HTTP/1.1 204\r\nA: HTTP/1.2 x\r\n\r\n")
    }
}
