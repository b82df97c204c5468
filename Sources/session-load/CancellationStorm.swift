import AdaptableSession
import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

/// Many tasks, each cancelled at a random moment of its life from another thread: every one must complete exactly once.
final class CancellationStorm: Sendable {
    private struct State {
        var completions: [Int]
        var open: Int
    }

    private let state: Mutex<State>
    private let ended = DispatchSemaphore(value: 0)
    private let session: AdaptableSession
    private let url: URL
    private let count: Int

    init(url: URL, count: Int) {
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 8
        session = AdaptableSession(configuration: configuration)
        state = Mutex(State(completions: Array(repeating: 0, count: count), open: count))
        self.url = url
        self.count = count
    }

    struct Result {
        var cancelled = 0
        var succeeded = 0
        var failed = 0
        var completedTwice = 0
    }

    /// - Parameter seed: of the moments of cancellation, between at once and 2 ms after the start.
    func run(seed: UInt64) -> Result {
        let tally = Mutex(Result())
        let slots = DispatchSemaphore(value: 64)
        var random = SplitMix(state: seed)
        let queue = DispatchQueue(label: "cancellations", attributes: .concurrent)
        for number in 0..<count {
            slots.wait()
            let task = session.dataTask(with: url) { [self] _, _, error in
                let (isFirst, isLast) = state.withLock { state in
                    state.completions[number] += 1
                    let isFirst = state.completions[number] == 1
                    if isFirst { state.open -= 1 }
                    return (isFirst, isFirst && state.open == 0)
                }
                tally.withLock { tally in
                    if !isFirst { tally.completedTwice += 1 }
                    else if error == nil { tally.succeeded += 1 }
                    else if (error as? URLError)?.code == .cancelled { tally.cancelled += 1 }
                    else { tally.failed += 1 }
                }
                if isFirst { slots.signal() }
                if isLast { ended.signal() }
            }
            let delay = Int(random.next() % 2_000)
            task.resume()
            if delay < 100 { task.cancel() } else {
                queue.asyncAfter(deadline: .now() + .microseconds(delay)) { task.cancel() }
            }
        }
        ended.wait()
        // A second completion would come now or never: everything else of the session has ended.
        let invalid = DispatchSemaphore(value: 0)
        session.getAllTasks { _ in invalid.signal() }
        invalid.wait()
        session.invalidateAndCancel()
        return tally.withLock { $0 }
    }
}

/// Seeded, so that a storm can be had again.
private struct SplitMix {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
