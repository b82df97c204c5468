import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

@Suite struct AsyncLinesTests {
    /// The bytes arrive in separate reads, so that a line end of several bytes is divided.
    @Test(.timeLimit(.minutes(1))) func `every kind of line end divides, and empty lines are skipped`() async throws {
        let body = "one\r\ntwo\n\n\rthree\u{0B}four\u{0C}five\u{85}six\u{2028}seven\u{2029}\u{E9}ight\r\n\r\nlast"
        let server = try await ScriptedServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n")]
                + body.utf8.map { .sendBytes([$0]) }
        }
        var lines: [String] = []
        let bytes = try await AdaptableSession(configuration: .ephemeral).bytes(from: server.url("/")).0
        for try await line in bytes.lines { lines.append(line) }
        #expect(lines == ["one", "two", "three", "four", "five", "six", "seven", "\u{E9}ight", "last"])
    }

    @Test(.timeLimit(.minutes(1))) func `the error of the load ends the lines`() async throws {
        let server = try await ScriptedServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\none\ntwo"), .close]
        }
        var lines: [String] = []
        await #expect(throws: URLError.self) {
            let bytes = try await AdaptableSession(configuration: .ephemeral).bytes(from: server.url("/")).0
            for try await line in bytes.lines { lines.append(line) }
        }
        #expect(lines == ["one"])
    }
}
