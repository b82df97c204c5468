import InternetAddresses
import NetworkMonitor
import Synchronization
import Testing

@testable import AdaptableSession

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

    /// All requests start before the reply: the lookup waits until the test has made all requests. With one thread they
    /// share the query however slow the machine is.
    @Test func `concurrent lookups of one name share one query and its reply`() async {
        let gate = Gate()
        let asked = Mutex(0)
        let resolver = NameResolver(limit: 1) { _ in
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

    private typealias Lookups = NameResolver.Lookups<Int>

    private static func question(_ name: String) -> NameResolver.Question {
        NameResolver.Question(name: name, v6: false, asking: .system, network: 0)
    }

    /// The numbers are listeners; the reply to the query of the first lookup is lost.
    @Test func `a lookup that has run for a second is not joined, and its listeners keep waiting for it`() {
        var lookups = Lookups(limit: 4)
        let (question, second) = (Self.question("a.test"), Lookups.joinedAge)
        let started = [(1, 0), (2, second - 1), (3, second), (4, 2 * second - 1), (5, 2 * second)]
            .map { lookups.add($0, question, now: $1)?.number }
        #expect(started == [1, nil, 2, nil, 3])
        let ended = [2, 1, 3].map { lookups.ended($0, now: 5 * second).listeners }
        #expect(ended == [[3, 4], [1, 2], [5]])
    }

    @Test func `while all threads are busy an old lookup is joined, and the age counts from the start of the thread`() {
        var lookups = Lookups(limit: 1)
        let (first, other, second) = (Self.question("a.test"), Self.question("b.test"), Lookups.joinedAge)
        let started = [(1, first, 0), (2, first, 3 * second), (3, other, 3 * second)]
            .map { lookups.add($0, $1, now: $2)?.number }
        #expect(started == [1, nil, nil])
        let (listeners, next) = lookups.ended(1, now: 5 * second)
        #expect(listeners == [1, 2])
        #expect(next?.question == other)
        let joined = lookups.add(4, other, now: 6 * second - 1) == nil
        #expect(joined)
        let last = lookups.ended(2, now: 6 * second)
        #expect(last.listeners == [3, 4])
        #expect(last.next == nil)
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
