import InternetAddresses
import NetworkMonitor
import NIOCore
import NIOPosix
import Testing

@testable import AdaptableSession

/// Connections over the loopback, with names that the test resolves itself.
@Suite struct DialerTests {
    private func dial(
        _ host: String, port: Int, answers: [String: [IPAddress]],
        path: NetworkPath = NetworkState([]).path(to: .loopbackV4)
    ) async throws -> Result<String, Dialer.Failure> {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let resolver = NameResolver { question in
            guard let found = answers[question.name] else { return .failure(.noSuchName) }
            return .success(found.filter { $0.isV6 == question.v6 })
        }
        let promise = loop.makePromise(of: Result<String, Dialer.Failure>.self)
        loop.execute {
            let dialer = Dialer(
                host: host, port: port, path: path, policy: ConnectPolicy(), resolver: resolver, on: loop
            ) { result in
                switch result {
                case .success(let connected):
                    promise.succeed(.success("\(connected.address) \(connected.channel.isActive)"))
                    connected.channel.close(promise: nil)
                case .failure(let failure): promise.succeed(.failure(failure))
                }
            }
            dialer.start()
        }
        return try await promise.futureResult.get()
    }

    private func withServer(_ body: (Int) async throws -> Void) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(
            host: "127.0.0.1", port: 0
        ).get()
        do {
            try await body(try #require(server.localAddress?.port))
        } catch {
            try await server.close().get()
            throw error
        }
        try await server.close().get()
    }

    @Test(.timeLimit(.minutes(1))) func `a refused IPv6 connection leads to IPv4 immediately`() async throws {
        try await withServer { port in
            let result = try await dial("a.test", port: port, answers: ["a.test": [.loopbackV6, .loopbackV4]])
            #expect(try result.get() == "127.0.0.1 true")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `an unknown name and a closed port are different errors`()
        async throws
    {
        let unknown = try await dial("b.test", port: 9, answers: [:])
        #expect(throws: Dialer.Failure.self) { try unknown.get() }
        if case .failure(let failure) = unknown { #expect(failure.reason == .noSuchName) }
        let refused = try await dial("127.0.0.1", port: 1, answers: [:])
        if case .failure(let failure) = refused {
            #expect(failure.reason == .refused)
            #expect(failure.errors.count == 1)
        } else {
            Issue.record("a connection to port 1 was made")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a socket bound to an interface reaches addresses on it`() async throws {
        let state = NetworkState([
            NetworkInterface(
                index: 1, name: "lo", kind: .wired, addresses: [.loopbackV4],
                routes: [NetworkInterface.Route(to: .allV4)]),
            NetworkInterface(index: 7, name: "wwan0", kind: .cellular, traits: .cellular, addresses: [], routes: []),
        ])
        let path = state.path(forbidding: .cellular)
        #expect(path.needsBinding)
        try await withServer { port in
            let result = try await dial("127.0.0.1", port: port, answers: [:], path: path)
            #expect(try result.get() == "127.0.0.1 true")
        }
        // The same socket bound to an interface that does not exist reaches nothing.
        let missing = NetworkState([
            NetworkInterface(
                index: 9_999, name: "wlan9", kind: .wifi, addresses: [.v4(0xC000_0202)],
                routes: [NetworkInterface.Route(to: .allV4)]),
            NetworkInterface(index: 7, name: "wwan0", kind: .cellular, traits: .cellular, addresses: [], routes: []),
        ]).path(forbidding: .cellular)
        if case .success = try await dial("192.0.2.1", port: 9, answers: [:], path: missing) {
            Issue.record("the socket left by another interface")
        }
    }
}
