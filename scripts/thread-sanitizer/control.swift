// Four threads count together, under a Mutex (guarded) or beside it (unguarded). The sanitizer must be silent about the first and report
// the second, or its word about a session is worth nothing.
import Dispatch
import Synchronization

final class Counter: Sendable {
    private let guarded = Mutex(0)
    nonisolated(unsafe) private var unguarded = 0

    func count(isGuarded: Bool) {
        guarded.withLock { $0 += 1 }
        if !isGuarded { unguarded += 1 }
    }
}

let isGuarded = CommandLine.arguments.dropFirst().first != "unguarded"
let counter = Counter()
let group = DispatchGroup()
for _ in 0..<4 {
    DispatchQueue.global().async(group: group) { for _ in 0..<100_000 { counter.count(isGuarded: isGuarded) } }
}
group.wait()
