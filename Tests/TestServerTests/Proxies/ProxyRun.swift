import AdapterProtocol
import Glibc
import NIOCore
import NIOPosix
import OpenSSLTLS
import Record
import ScenarioLanguage
import Synchronization

@testable import TestServer

/// A proxy on a loopback socket before an origin; every name resolves to the origin, so that a client needs no name
/// server.
final class ProxyRun: Sendable {
    private final class Facts: Sendable { let all = Mutex<[ProxyFact.Event]>([]) }

    private let box: Facts
    let origin: OriginRun
    let port: Int

    private init(_ box: Facts, _ origin: OriginRun, _ port: Int) {
        self.box = box
        self.origin = origin
        self.port = port
    }

    var facts: [ProxyFact.Event] { box.all.withLock { $0 } }
    var requests: [String] {
        facts.compactMap {
            if case .request(_, let form, let target, _) = $0 { "\(form.rawValue) \(target)" } else { nil }
        }
    }
    var refusals: [Int] { facts.compactMap { if case .refused(_, let reply) = $0 { reply } else { nil } } }
    var closings: [ProxyFact.Event] {
        facts.filter { if case .closed = $0 { true } else { false } }
    }

    static func serving(
        _ plan: ProxyPlan, origin plans: OriginPlan = .big(100_000), originTLS: TLSContext? = nil,
        proxyTLS: TLSContext? = nil,
        _ body: (ProxyRun) async throws -> Void
    ) async throws {
        try await OriginRun.serving(plans, tls: originTLS) { origin in
            let box = Facts()
            let threads = NIOThreadPool(numberOfThreads: 2)
            threads.start()
            let (plain, secure) = (origin.address, origin.secureAddress)
            let server = ProxyServer(
                plan: plan, seed: 7, tls: proxyTLS, group: MultiThreadedEventLoopGroup.singleton, threads: threads,
                clock: OriginRun.clock, dial: { ProxyRun.dial($0, plain: plain, secure: secure) },
                record: { fact in box.all.withLock { $0.append(fact.event) } })
            let socket = try BoundSocket.loopback(SOCK_STREAM, family: AF_INET)
            try await server.start(on: [socket.descriptor]).get()
            let run = ProxyRun(box, origin, socket.address.port ?? 0)
            do {
                try await body(run)
            } catch {
                try await server.stop().get()
                try await threads.shutdownGracefully()
                throw error
            }
            try await server.stop().get()
            try await threads.shutdownGracefully()
        }
    }

    private static func dial(
        _ target: ProxyTarget, plain: SocketAddress, secure: SocketAddress
    ) -> Result<ProxyConnection, ProxyDialError> {
        switch target.host {
        case "unknown.test": return .failure(.unknownName(target.host))
        case "refusing.test": return .failure(.refused(target.host))
        default: break
        }
        let wanted = target.port == 443 ? secure : plain
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let result = unsafe wanted.withSockAddr { pointer, size in unsafe connect(descriptor, pointer, socklen_t(size))
        }
        guard result == 0 else {
            _ = close(descriptor)
            return .failure(.refused(target.host))
        }
        return .success(
            ProxyConnection(
                descriptor: descriptor, localAddress: "127.0.0.1", localPort: 4_000, remoteAddress: "127.0.0.1",
                remotePort: wanted.port ?? 0))
    }

    /// Runs curl with a proxy, without the machine's own settings; `%{…}` values come last.
    func curl(_ scheme: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        let all =
            [
                "timeout", "20", "env", "-i", "curl", "-q", "-sS", "-x", "\(scheme)://127.0.0.1:\(port)", "-o",
                "/dev/null", "-w",
                "%{http_connect} %{http_code} %{size_download} %{proxy_ssl_verify_result}\n",
            ] + arguments
        let result = try await Command.run(all)
        return (result.status, result.output)
    }
}
