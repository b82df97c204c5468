import Foundation
package import LinuxNet
import Synchronization

/// Looks names up with the system's resolver, one question of one family at a time for each thread.
///
/// The system's call blocks, for many seconds when no server answers, and cannot be called off; so every lookup has a thread of its
/// own, and the same question that is being asked already is not asked twice.
package final class NameResolver: Sendable {
    package typealias Answer = Result<[IPAddress], HostLookupError>

    private struct Question: Hashable {
        let name: String
        let v6: Bool
    }

    private struct Desk {
        var listeners: [Question: [@Sendable (Answer) -> Void]] = [:]
        var waiting: [Question] = []
        var running = 0
    }

    private let desk = Mutex(Desk())
    private let limit: Int
    private let lookUp: @Sendable (String, Bool) -> Answer

    /// `limit`: how many lookups run at a time. `lookUp` blocks; it is the system's unless a test has another.
    package init(
        limit: Int = 64,
        lookUp: @escaping @Sendable (String, Bool) -> Answer = { name, v6 in
            Result { () throws(HostLookupError) in try HostLookup.addresses(of: name, v6: v6) }
        }
    ) {
        self.limit = limit
        self.lookUp = lookUp
    }

    /// `answer` is called once, on a thread of the resolver.
    package func resolve(_ name: String, v6: Bool, answer: @escaping @Sendable (Answer) -> Void) {
        let question = Question(name: name, v6: v6)
        let begins = desk.withLock { desk in
            desk.listeners[question, default: []].append(answer)
            guard desk.listeners[question]?.count == 1 else { return false }
            guard desk.running < limit else {
                desk.waiting.append(question)
                return false
            }
            desk.running += 1
            return true
        }
        if begins { run(question) }
    }

    private func run(_ first: Question) {
        // Not a DedicatedThread: nobody may have to wait for a call that cannot be ended.
        Thread.detachNewThread { [self] in
            var question: Question? = first
            while let current = question {
                let answer = lookUp(current.name, current.v6)
                let (listeners, next) = desk.withLock { desk in
                    let listeners = desk.listeners.removeValue(forKey: current) ?? []
                    let next = desk.waiting.isEmpty ? nil : desk.waiting.removeFirst()
                    if next == nil { desk.running -= 1 }
                    return (listeners, next)
                }
                for listener in listeners { listener(answer) }
                question = next
            }
        }
    }
}
