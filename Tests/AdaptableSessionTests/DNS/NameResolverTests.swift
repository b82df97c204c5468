import AdaptableSession
import InternetAddresses
import NetworkMonitor
import Synchronization
import Testing

@Suite struct NameResolverTests {
    private func resolve(_ resolver: NameResolver, _ name: String, v6: Bool) async -> NameResolver.LookupResult {
        await withCheckedContinuation { continuation in
            resolver.resolve(name, v6: v6) { continuation.resume(returning: $0) }
        }
    }

    @Test func `the system resolver returns both families for this machine`() async {
        #expect(await resolve(NameResolver(), "localhost", v6: false) == .success([.loopbackV4]))
        #expect(await resolve(NameResolver(), "127.0.0.1", v6: false) == .success([.loopbackV4]))
        #expect(await resolve(NameResolver(), "::1", v6: true) == .success([.loopbackV6]))
    }

    /// All requests start before the reply: the lookup waits until the test has made all requests.
    @Test func `concurrent lookups of one name share one query and its reply`() async {
        let gate = Gate()
        let asked = Mutex(0)
        let resolver = NameResolver(limit: 2) { _ in
            asked.withLock { $0 += 1 }
            gate.wait()
            return .success([.loopbackV4])
        }
        let (answers, notify) = AsyncStream<NameResolver.LookupResult>.makeStream()
        for _ in 0..<10 { resolver.resolve("a.test", v6: false) { notify.yield($0) } }
        gate.open()
        var count = 0
        for await result in answers {
            #expect(result == .success([.loopbackV4]))
            count += 1
            if count == 10 { break }
        }
        #expect(asked.withLock { $0 } == 1)
    }

    /// The first query never gets a reply.
    @Test(.timeLimit(.minutes(1))) func `after a network change new lookups do not wait for earlier queries`()
        async throws
    {
        let gate = Gate()
        let asked = Mutex(0)
        let resolver = NameResolver { _ in
            let isFirst = asked.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { gate.wait() }
            return .success([.loopbackV4])
        }
        resolver.resolve("a.test", v6: false) { _ in }
        while asked.withLock({ $0 }) == 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
        resolver.networkChanged()
        #expect(await resolve(resolver, "a.test", v6: false) == .success([.loopbackV4]))
        gate.open()
    }

    @Test func `a lookup over another route is a separate query`() async {
        let asked = Mutex<Set<NameResolver.Question>>([])
        let gate = Gate()
        let resolver = NameResolver { question in
            asked.withLock { _ = $0.insert(question) }
            gate.wait()
            return .success([.loopbackV4])
        }
        let (answers, notify) = AsyncStream<NameResolver.LookupResult>.makeStream()
        let path = NetworkState([]).path()
        for asking in [DNSQueryRoute.system, .interfaces(of: path)] {
            resolver.resolve("a.test", v6: false, by: asking) { notify.yield($0) }
        }
        gate.open()
        var count = 0
        for await _ in answers {
            count += 1
            if count == 2 { break }
        }
        #expect(asked.withLock { $0.count } == 2)
    }

    @Test func `more lookups than threads wait in a queue`() async {
        let running = Mutex((now: 0, most: 0))
        let resolver = NameResolver(limit: 3) { _ in
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            defer { running.withLock { $0.now -= 1 } }
            return .failure(.noSuchName)
        }
        await withTaskGroup(of: NameResolver.LookupResult.self) { group in
            for number in 0..<50 { group.addTask { await resolve(resolver, "\(number).test", v6: true) } }
            for await result in group { #expect(result == .failure(.noSuchName)) }
        }
        #expect(running.withLock { $0.most } <= 3)
    }
}

/// Blocks threads (never those of the tests' pool) until it is opened.
private final class Gate: Sendable {
    private let isOpen = Mutex(false)
    func open() { isOpen.withLock { $0 = true } }
    func wait() {
        guard let wait = try? Poller.make() else { return }
        var poller = wait
        while !isOpen.withLock({ $0 }) {
            _ = try? poller.wait(until: MonotonicClock.deadline(after: 1_000_000)) { _ in }
        }
    }
}
