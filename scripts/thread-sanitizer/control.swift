// Four threads increment a counter, under a Mutex (guarded) or without it (unguarded). The sanitizer must report only the second;
// otherwise its result for a session is meaningless.
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
