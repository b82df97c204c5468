import AdaptableSession
import LinuxNet
import Synchronization
import Testing

@Suite struct NameResolverTests {
    private func resolve(_ resolver: NameResolver, _ name: String, v6: Bool) async -> NameResolver.LookupResult {
        await withCheckedContinuation { continuation in
            resolver.resolve(name, v6: v6) { continuation.resume(returning: $0) }
        }
    }

    @Test func `The system knows this machine by both families`() async {
        #expect(await resolve(NameResolver(), "localhost", v6: false) == .success([.loopbackV4]))
        #expect(await resolve(NameResolver(), "127.0.0.1", v6: false) == .success([.loopbackV4]))
        #expect(await resolve(NameResolver(), "::1", v6: true) == .success([.loopbackV6]))
    }

    /// All ask before any answer is given: the lookup waits until the test has asked.
    @Test func `The same question is asked once, and everybody hears the answer`() async {
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

    /// The first question is never answered.
    @Test(.timeLimit(.minutes(1))) func `After the network has changed nobody waits for what was asked before`() async {
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
        while asked.withLock({ $0 }) == 0 { await Task.yield() }
        resolver.networkChanged()
        #expect(await resolve(resolver, "a.test", v6: false) == .success([.loopbackV4]))
        gate.open()
    }

    @Test func `The same name asked by another way is another question`() async {
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

    @Test func `More questions than threads wait their turn`() async {
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

/// Holds threads (never those of the tests' pool) until it is opened.
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
