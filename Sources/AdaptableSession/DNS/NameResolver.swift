import Foundation
package import InternetAddresses
package import NetworkMonitor
import Synchronization

/// Looks up names, one query for one address family at a time on each thread.
///
/// A lookup blocks, for many seconds if no server replies, and the system's resolver cannot be cancelled. Every lookup
/// therefore runs on its own thread, and a query that is already running by the same route on the same network is not
/// started twice within a second. Later requests send a query of their own: the reply to the first one is probably lost,
/// and the system's resolver repeats a query only after seconds.
package final class NameResolver: Sendable {
    package typealias LookupResult = Result<[IPAddress], HostLookupError>

    package struct Question: Hashable, Sendable {
        package let name: String
        package let v6: Bool
        package let asking: DNSQueryRoute
        /// The number of network changes before the query.
        let network: Int
    }

    /// The lookups that run or wait for a thread, as a value. Times are in nanoseconds.
    struct Lookups<Listener: Sendable>: Sendable {
        struct Lookup: Sendable {
            let number: Int
            let question: Question
            /// The time at which its thread started; nil while it waits for one.
            var start: Int64?
            var listeners: [Listener]
        }

        /// The age of a running lookup up to which further listeners join it.
        static var joinedAge: Int64 { 1_000_000_000 }

        /// The maximum number of running lookups.
        let limit: Int
        /// In the order of their creation.
        private var lookups: [Lookup] = []
        private var created = 0

        init(limit: Int) { self.limit = limit }

        /// Adds a listener. Returns the lookup for which the caller has to start a thread, if any.
        ///
        /// While all threads are busy, the listener joins an old lookup too, which ends before a new one could start.
        mutating func add(_ listener: Listener, _ question: Question, now: Int64) -> Lookup? {
            let isFull = lookups.count(where: { $0.start != nil }) >= limit
            let joined = lookups.lastIndex { lookup in
                lookup.question == question && (isFull || lookup.start.map { now - $0 < Self.joinedAge } ?? true)
            }
            if let joined {
                lookups[joined].listeners.append(listener)
                return nil
            }
            created += 1
            let lookup = Lookup(
                number: created, question: question, start: isFull ? nil : now, listeners: [listener])
            lookups.append(lookup)
            return isFull ? nil : lookup
        }

        /// Removes a lookup. Returns its listeners, and the lookup with which its thread continues.
        mutating func ended(_ number: Int, now: Int64) -> (listeners: [Listener], next: Lookup?) {
            guard let index = lookups.firstIndex(where: { $0.number == number }) else { return ([], nil) }
            let listeners = lookups.remove(at: index).listeners
            guard let next = lookups.firstIndex(where: { $0.start == nil }) else { return (listeners, nil) }
            lookups[next].start = now
            return (listeners, lookups[next])
        }
    }

    private struct State {
        var networkChanges = 0
        var lookups: Lookups<@Sendable (LookupResult) -> Void>
    }

    private let state: Mutex<State>
    private let lookUp: @Sendable (Question) -> LookupResult

    /// `limit` is the maximum number of lookups at a time. `lookUp` blocks; only tests replace it.
    package init(
        limit: Int = 64,
        lookUp: @escaping @Sendable (Question) -> LookupResult = { question in
            Result { () throws(HostLookupError) in try question.asking.addresses(of: question.name, v6: question.v6) }
        }
    ) {
        state = Mutex(State(lookups: Lookups(limit: limit)))
        self.lookUp = lookUp
    }

    /// Looks up a name. `result` is called once, on a thread of the resolver.
    package func resolve(
        _ name: String, v6: Bool, by asking: DNSQueryRoute = .system, result: @escaping @Sendable (LookupResult) -> Void
    ) {
        let first = state.withLock { state in
            let question = Question(name: name, v6: v6, asking: asking, network: state.networkChanges)
            return state.lookups.add(result, question, now: MonotonicTime.now())
        }
        if let first { run(first.number, first.question) }
    }

    /// Records a network change: later queries do not wait for a reply to a query from before the change, which may
    /// never arrive.
    package func networkChanged() { state.withLock { $0.networkChanges += 1 } }

    private func run(_ number: Int, _ question: Question) {
        // Not a DedicatedThread, whose owner waits for its end: a blocked lookup cannot be ended.
        Thread.detachNewThread { [self] in
            var next: (Int, Question)? = (number, question)
            while let (number, question) = next {
                let result = lookUp(question)
                let ended = state.withLock { $0.lookups.ended(number, now: MonotonicTime.now()) }
                for listener in ended.listeners { listener(result) }
                next = ended.next.map { ($0.number, $0.question) }
            }
        }
    }
}
