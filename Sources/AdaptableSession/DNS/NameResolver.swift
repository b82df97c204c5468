import Foundation
package import LinuxNet
import Synchronization

/// Looks names up, one question of one family at a time for each thread.
///
/// A lookup blocks, for many seconds when no server answers, and the system's cannot be called off; so every one has a thread of its
/// own, and the same question that is being asked already by the same way, on the same network, is not asked twice.
package final class NameResolver: Sendable {
    package typealias LookupResult = Result<[IPAddress], HostLookupError>

    package struct Question: Hashable, Sendable {
        package let name: String
        package let v6: Bool
        package let asking: DNSQueryRoute
        /// How often the network had changed.
        fileprivate let network: Int
    }

    private struct State {
        var networkChanges = 0
        var listeners: [Question: [@Sendable (LookupResult) -> Void]] = [:]
        var waiting: [Question] = []
        var running = 0

        /// Whether a thread is to be begun for it.
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

    /// `limit`: how many lookups run at a time. `lookUp` blocks; only a test has another.
    package init(
        limit: Int = 64,
        lookUp: @escaping @Sendable (Question) -> LookupResult = { question in
            Result { () throws(HostLookupError) in try question.asking.addresses(of: question.name, v6: question.v6) }
        }
    ) {
        self.limit = limit
        self.lookUp = lookUp
    }

    /// `result` is called once, on a thread of the resolver.
    package func resolve(
        _ name: String, v6: Bool, by asking: DNSQueryRoute = .system, result: @escaping @Sendable (LookupResult) -> Void
    ) {
        let (question, begins) = state.withLock { state in
            let question = Question(name: name, v6: v6, asking: asking, network: state.networkChanges)
            return (question, state.accepts(question, result, limit))
        }
        if begins { run(question) }
    }

    /// What is asked from here on does not wait for an answer that was asked for on the network of before, and may never come.
    package func networkChanged() { state.withLock { $0.networkChanges += 1 } }

    private func run(_ first: Question) {
        // Not a DedicatedThread: nobody may have to wait for a call that cannot be ended.
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
