import Foundation
package import InternetAddresses
package import NetworkMonitor
import Synchronization

/// Looks up names, one query for one address family at a time on each thread.
///
/// A lookup blocks, for many seconds if no server replies, and the system's resolver cannot be cancelled. Every lookup
/// therefore runs on its own thread, and a query that is already running by the same route on the same network is not
/// started twice.
package final class NameResolver: Sendable {
    package typealias LookupResult = Result<[IPAddress], HostLookupError>

    package struct Question: Hashable, Sendable {
        package let name: String
        package let v6: Bool
        package let asking: DNSQueryRoute
        /// The number of network changes before the query.
        fileprivate let network: Int
    }

    private struct State {
        var networkChanges = 0
        var listeners: [Question: [@Sendable (LookupResult) -> Void]] = [:]
        var waiting: [Question] = []
        var running = 0

        /// Adds a listener. Returns true if the caller has to start a thread for the query.
        mutating func accepts(_ question: Question, _ result: @escaping @Sendable (LookupResult) -> Void, _ limit: Int)
            -> Bool
        {
            listeners[question, default: []].append(result)
            guard listeners[question]?.count == 1 else { return false }
            guard running < limit else {
                waiting.append(question)
                return false
            }
            running += 1
            return true
        }
    }

    private let state = Mutex(State())
    private let limit: Int
    private let lookUp: @Sendable (Question) -> LookupResult

    /// `limit` is the maximum number of lookups at a time. `lookUp` blocks; only tests replace it.
    package init(
        limit: Int = 64,
        lookUp: @escaping @Sendable (Question) -> LookupResult = { question in
            Result { () throws(HostLookupError) in try question.asking.addresses(of: question.name, v6: question.v6) }
        }
    ) {
        self.limit = limit
        self.lookUp = lookUp
    }

    /// Looks up a name. `result` is called once, on a thread of the resolver.
    package func resolve(
        _ name: String, v6: Bool, by asking: DNSQueryRoute = .system, result: @escaping @Sendable (LookupResult) -> Void
    ) {
        let (question, begins) = state.withLock { state in
            let question = Question(name: name, v6: v6, asking: asking, network: state.networkChanges)
            return (question, state.accepts(question, result, limit))
        }
        if begins { run(question) }
    }

    /// Records a network change: later queries do not wait for a reply to a query from before the change, which may
    /// never arrive.
    package func networkChanged() { state.withLock { $0.networkChanges += 1 } }

    private func run(_ first: Question) {
        // Not a DedicatedThread, whose owner waits for its end: a blocked lookup cannot be ended.
        Thread.detachNewThread { [self] in
            var question: Question? = first
            while let current = question {
                let result = lookUp(current)
                let (listeners, next) = state.withLock { state in
                    let listeners = state.listeners.removeValue(forKey: current) ?? []
                    let next = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
                    if next == nil { state.running -= 1 }
                    return (listeners, next)
                }
                for listener in listeners { listener(result) }
                question = next
            }
        }
    }
}
