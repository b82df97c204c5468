import AdaptableSession
import DelegatesInSwift5
import DelegatesInSwift6
import Foundation
import FoundationNetworking
import Testing

/// A method that compiles and is never called would go unnoticed, so each spelling is called over the network and its
/// decisions must take effect.
@Suite struct DelegateSpellingTests {
    private static let everything: Set = [
        "session challenge", "redirect", "task challenge", "stream", "response", "cache",
    ]

    @Test(.timeLimit(.minutes(1)), arguments: DelegatesInSwift6.Spelling.allCases)
    func `every spelling of a delegate method in the Swift 6 language mode is called`(
        _ spelling: DelegatesInSwift6.Spelling
    ) async throws {
        let log = DelegatesInSwift6.CallLog()
        try await load(with: spelling.makeDelegate(log))
        #expect(log.called == (spelling.suppliesOnlyStreams ? ["stream"] : Self.everything))
    }

    @Test(.timeLimit(.minutes(1)), arguments: DelegatesInSwift5.Spelling.allCases)
    func `every spelling of a delegate method in the Swift 5 language mode is called`(
        _ spelling: DelegatesInSwift5.Spelling
    ) async throws {
        let log = DelegatesInSwift5.CallLog()
        try await load(with: spelling.makeDelegate(log))
        #expect(log.called == (spelling.suppliesOnlyStreams ? ["stream"] : Self.everything))
    }

    /// Makes the session call each delegate method: NTLM is a challenge of the connection, Basic one of the task.
    private func load(with delegate: any AdaptableSessionDataDelegate) async throws {
        let server = try await ScriptedServer { request in
            switch request.line.split(separator: " ")[1] {
            case "/old": [.send("HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n")]
            case "/basic":
                [.send("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 0\r\n\r\n")]
            case "/ntlm": [.send("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n")]
            default: ScriptedServer.ok("x", "Cache-Control: max-age=60\r\n")
            }
        }
        let session = AdaptableSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        for path in ["/old", "/basic", "/ntlm"] { session.dataTask(with: server.url(path)).resume() }
        var request = URLRequest(url: server.url("/sink"))
        request.httpMethod = "POST"
        request.setValue("7", forHTTPHeaderField: "Content-Length")
        session.uploadTask(withStreamedRequest: request).resume()
        session.finishTasksAndInvalidate()
        while session.delegate != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(server.requests.contains { $0.line.hasPrefix("GET /new") })
        #expect(server.requests.first { $0.line.hasPrefix("POST") }?.body == Array("spelled".utf8))
    }
}
