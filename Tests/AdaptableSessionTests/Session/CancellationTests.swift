import Foundation
import FoundationNetworking
import Synchronization
import Testing

@testable import AdaptableSession

/// Cancellation at every moment of a load, many times: each task must end exactly once, whatever its state.
@Suite struct CancellationTests {
    @Test(.timeLimit(.minutes(2))) func `many tasks of one session all end over no more connections than allowed`()
        async throws
    {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("x") }
        let session = AdaptableSession(configuration: .ephemeral)
        let total = 3000
        let left = Mutex(total)
        let failures = Mutex(0)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            for number in 0..<total {
                session.dataTask(with: server.url("/\(number)")) { _, _, error in
                    if error != nil { failures.withLock { $0 += 1 } }
                    let isLast = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    if isLast { done.resume() }
                }.resume()
            }
        }
        #expect(failures.withLock { $0 } == 0)
        #expect(server.connections <= 6)
        #expect(server.requests.count == total)
    }

    @Test(.timeLimit(.minutes(2))) func `tasks cancelled at any moment end exactly once`() async throws {
        let server = try await ScriptedServer { request in
            request.number % 3 == 0 ? [.close] : ScriptedServer.ok(String(repeating: "x", count: request.number % 5000))
        }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 4
        let log = EventLog()
        let session = AdaptableSession(configuration: .ephemeral, delegate: log, delegateQueue: queue)
        let ends = Mutex<[Int: Int]>([:])
        var generator = SeededGenerator(state: 1)
        let total = 1500
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let left = Mutex(total)
            for number in 0..<total {
                let task = session.dataTask(with: server.url("/\(number)")) { _, _, _ in
                    ends.withLock { $0[number, default: 0] += 1 }
                    let isLast = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    if isLast { done.resume() }
                }
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: task.cancel()
                case 1:
                    task.resume()
                    task.cancel()
                case 2:
                    task.resume()
                    let wait = Int.random(in: 0..<3000, using: &generator)
                    DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(wait)) {
                        task.suspend()
                        task.resume()
                        task.cancel()
                        task.cancel()
                    }
                default: task.resume()
                }
            }
        }
        #expect(await session.allTasks.isEmpty)
        // The invalidation comes after everything else, including a second end.
        session.finishTasksAndInvalidate()
        await log.invalidation()
        #expect(ends.withLock { $0.count } == total)
        #expect(ends.withLock { $0.values.allSatisfy { $0 == 1 } })
    }
}

/// SplitMix64, so that a failing sequence of events can be reproduced.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
