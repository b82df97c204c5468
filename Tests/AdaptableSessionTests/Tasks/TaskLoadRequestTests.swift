import Foundation
import FoundationNetworking
import Testing

@_spi(Mutants) @testable import AdaptableSession

/// The bytes that are sent, recorded by a server.
@Suite struct TaskLoadRequestTests {
    private func session(_ log: EventLog?, _ change: (AdaptableSessionConfiguration) -> Void = { _ in })
        -> AdaptableSession
    {
        let configuration = AdaptableSessionConfiguration.ephemeral
        change(configuration)
        return AdaptableSession(configuration: configuration, delegate: log, delegateQueue: nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func `an invalid method is refused before sending and does not affect the open connection`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("x") }
        let session = session(nil)
        _ = try await session.data(from: server.url("/"))
        var request = URLRequest(url: server.url("/bad"))
        request.httpMethod = "GET /other"
        let error = await #expect(throws: URLError.self) { _ = try await session.data(for: request) }
        #expect(error?.code == .badURL)
        _ = try await session.data(from: server.url("/"))
        #expect(server.requests.map(\.line) == ["GET / HTTP/1.1", "GET / HTTP/1.1"])
        #expect(server.connections == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `a header value with a line end is refused before sending`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("x") }
        let session = session(nil) { $0.httpAdditionalHeaders = ["X-Token": "token\n"] }
        let error = await #expect(throws: URLError.self) { _ = try await session.data(from: server.url("/")) }
        #expect(error?.code == .badURL)
        #expect(server.connections == 0)
    }

    // MARK: Ports that TCP does not have

    @Test(.timeLimit(.minutes(1)), arguments: ["65536", "9223372036854775807", "18446744073709551617"])
    func `a URL with a port above 65535 is a bad URL`(port: String) async throws {
        for scheme in ["http", "https"] {
            let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(port)/"))
            let error = await #expect(throws: URLError.self) { _ = try await session(nil).data(from: url) }
            #expect(error?.code == .badURL)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["http", "https", "socks5"])
    func `a proxy of the environment with a port above 65535 is an error and is not bypassed`(kind: String)
        async throws
    {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("x") }
        for port in ["65536", "18446744073709551617", "0"] {
            let configuration = AdaptableSessionConfiguration.ephemeral
            configuration.settings.systemProxies = ProxyConfiguration(environment: [
                "http_proxy": "\(kind)://127.0.0.1:\(port)"
            ])
            configuration.settings.policies.proxies.bypassesLoopback = false
            let session = AdaptableSession(configuration: configuration)
            let error = await #expect(throws: URLError.self) { _ = try await session.data(from: server.url("/")) }
            #expect(error?.code == .badURL)
        }
        #expect(server.connections == 0)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [-1, 65_536, .max] as [Int])
    func `a proxy of the configuration with an invalid port is an error and is not bypassed`(port: Int) async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("x") }
        let session = session(nil) {
            $0.connectionProxyDictionary = ["HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": port]
            $0.settings.policies.proxies.bypassesLoopback = false
        }
        let error = await #expect(throws: URLError.self) { _ = try await session.data(from: server.url("/")) }
        #expect(error?.code == .badURL)
        let stream = session.streamTask(withHostName: "127.0.0.1", port: server.port)
        stream.resume()
        let broken = await #expect(throws: URLError.self) {
            _ = try await stream.readData(ofMinLength: 1, maxLength: 1, timeout: 0)
        }
        #expect(broken?.code == .badURL)
        #expect(server.connections == 0)
    }

    // MARK: Numbers from the application

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [.infinity, .greatestFiniteMagnitude, 9.3e9, -1, .nan, -.infinity] as [Double])
    func `timeouts that no clock can hold mean no limit, or the default`(seconds: Double) async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("x") }
        let session = session(nil) {
            $0.timeoutIntervalForRequest = seconds
            $0.timeoutIntervalForResource = seconds
            $0.httpMaximumConnectionsPerHost = seconds > 0 ? .max : .min
        }
        #expect(try await session.data(from: server.url("/")).0 == Data("x".utf8))
        var request = URLRequest(url: server.url("/"))
        request.timeoutInterval = seconds
        #expect(try await session.data(for: request).0 == Data("x".utf8))
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "0", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "-1",
            "1e3", "0x10", "",
        ])
    func `no announced length crashes the process`(length: String) async throws {
        let server = try await ScriptedServer { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\nAge: 18446744073709551615\r\nDate: 1\r\n\r\n"),
                .close,
            ]
        }
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "POST"
        _ = try? await session(nil).upload(for: request, from: Data(repeating: 1, count: 10))
        _ = try? await session(nil).download(for: request)
        #expect(server.requests.count >= 2)
    }

    // MARK: A delegate's request in place of the proposed one

    private func redirected(_ status: Int, _ answer: @escaping @Sendable (URLRequest) -> URLRequest) async throws
        -> ScriptedServer.Request?
    {
        let server = try await ScriptedServer { request in
            request.number == 1
                ? [.send("HTTP/1.1 \(status) X\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n")]
                : ScriptedServer.ok("x")
        }
        let log = EventLog(redirect: { answer($0) })
        var request = URLRequest(url: server.url("/old"))
        request.httpMethod = "POST"
        request.httpBody = Data("secret".utf8)
        let task = session(log).dataTask(with: request)
        task.resume()
        #expect(await log.completion(of: task) == nil)
        return server.requests.last
    }

    @Test(.timeLimit(.minutes(1))) func `a plain request in place of a redirected POST carries no body`()
        async throws
    {
        let last = try #require(try await redirected(307) { URLRequest(url: $0.url ?? URL(fileURLWithPath: "/")) })
        #expect(last.line == "GET /new HTTP/1.1")
        #expect(last.body.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `a body that the delegate gives a redirected request is sent`() async throws {
        let last = try #require(
            try await redirected(302) { request in
                var request = request
                request.httpMethod = "POST"
                request.httpBody = Data("other".utf8)
                return request
            })
        #expect(last.line == "POST /new HTTP/1.1")
        #expect(last.body == Array("other".utf8))
    }

    @Test(.timeLimit(.minutes(1))) func `a field that the delegate adds keeps the proposed body`()
        async throws
    {
        let last = try #require(
            try await redirected(308) { request in
                var request = request
                request.setValue("1", forHTTPHeaderField: "X-A")
                return request
            })
        #expect(last.body == Array("secret".utf8))
        #expect(last.fields["x-a"] == "1")
    }

    // MARK: Discarded bodies

    /// Neither body ends; without a limit the load would end with the request timeout.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["302 Found\r\nLocation: /new", "401 No\r\nWWW-Authenticate: Basic realm=\"lab\""])
    func `the body of a redirect or a challenge does not delay it`(head: String) async throws {
        let server = try await ScriptedServer { request in
            request.number == 1
                ? [.send("HTTP/1.1 \(head)\r\nContent-Length: 100\r\n\r\nlook")] : ScriptedServer.ok("x")
        }
        var url = URLComponents(url: server.url("/old"), resolvingAgainstBaseURL: false)
        url?.user = "ann"
        url?.password = "pw"
        let session = session(nil) { $0.timeoutIntervalForRequest = 20 }
        #expect(try await session.data(from: try #require(url?.url)).0 == Data("x".utf8))
        #expect(server.requests.map(\.connection) == [1, 2])
    }

    // MARK: Credentials for a proxy

    @Test(.timeLimit(.minutes(1))) func `the application's Proxy-Authorization opens the tunnel`() async throws {
        let proxy = try await ScriptedServer { _ in [.send("HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n")] }
        let session = session(nil) { configuration in
            configuration.connectionProxyDictionary = [
                "HTTPSEnable": 1, "HTTPSProxy": "127.0.0.1", "HTTPSPort": proxy.port,
            ]
            configuration.httpAdditionalHeaders = ["Proxy-Authorization": "Basic YW5uOnB3"]
        }
        _ = try? await session.data(from: try #require(URL(string: "https://api.test/")))
        #expect(proxy.requests.first?.line == "CONNECT api.test:443 HTTP/1.1")
        #expect(proxy.requests.first?.fields["proxy-authorization"] == "Basic YW5uOnB3")
    }

    @Test(.timeLimit(.minutes(1))) func `without a proxy the application's Proxy-Authorization is not sent`()
        async throws
    {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("x") }
        _ = try await session(nil) { $0.httpAdditionalHeaders = ["Proxy-Authorization": "Basic YW5uOnB3"] }.data(
            from: server.url("/"))
        #expect(server.requests.map { $0.fields["proxy-authorization"] } == [nil])
    }

    // MARK: NTLM and a body

    private static let challenge =
        "TlRMTVNTUAACAAAABgAGADAAAAAFgokAmQSPfHo7Sj8AAAAAAAAAAB4AHgA2AAAATABBAEIAAgAGAEwAQQBCAAEADABPAFIASQBHAEkATgAAAAAA"

    private func upload(_ server: ScriptedServer) async throws -> Int {
        var url = URLComponents(url: server.url("/sink"), resolvingAgainstBaseURL: false)
        url?.user = "ann"
        url?.password = "pw"
        var request = URLRequest(url: try #require(url?.url))
        request.httpMethod = "PUT"
        let (_, response) = try await session(nil).upload(for: request, from: Data("body".utf8))
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }

    private static func challengeSteps(_ challenge: String) -> [ScriptedServer.Step] {
        [.send("HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n")]
    }

    /// A body before the last message would be refused, and the connection to which the messages belong would be
    /// closed.
    @Test(.timeLimit(.minutes(1))) func `the first NTLM message is sent without the body`() async throws {
        let server = try await ScriptedServer { request in
            switch request.number {
            case 1: Self.challengeSteps("NTLM")
            case 2: Self.challengeSteps("NTLM \(Self.challenge)")
            default: ScriptedServer.ok("x")
            }
        }
        #expect(try await upload(server) == 200)
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["body", "", "body"])
        #expect(server.requests.map { $0.fields["content-length"] } == ["4", "0", "4"])
        #expect(server.requests[1].connection == server.requests[2].connection)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a server that processes the first message as the request gets it again with the body`() async throws {
        let server = try await ScriptedServer { $0.number == 1 ? Self.challengeSteps("NTLM") : ScriptedServer.ok("x") }
        #expect(try await upload(server) == 200)
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["body", "", "body"])
    }
}
