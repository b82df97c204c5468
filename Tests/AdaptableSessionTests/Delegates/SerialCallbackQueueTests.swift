import Foundation
import Synchronization
import Testing

@testable import AdaptableSession

/// The operation queue runs eight operations at once, so that order can only come from the serial queue; a thousand
/// callbacks would show a race.
@Suite struct SerialCallbackQueueTests {
    private func queue(width: Int) -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = width
        return queue
    }

    @Test func `callbacks of a serial queue run one after another in order on a concurrent operation queue`() async {
        let line = SerialCallbackQueue(queue: queue(width: 8))
        let seen = Mutex<[Int]>([])
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            for number in 0..<1000 { line.post { seen.withLock { $0.append(number) } } }
            line.post { done.resume() }
        }
        #expect(seen.withLock { $0 } == Array(0..<1000))
    }

    @Test func `a blocking callback delays its own serial queue only`() async {
        let queue = queue(width: 4)
        let stalled = SerialCallbackQueue(queue: queue)
        let other = SerialCallbackQueue(queue: queue)
        let gate = DispatchSemaphore(value: 0)
        let isPassed = Mutex(false)
        stalled.post { gate.wait() }
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            stalled.post { isPassed.withLock { $0 = true } }
            other.post { done.resume() }
        }
        #expect(!isPassed.withLock { $0 })
        gate.signal()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in stalled.post { done.resume() } }
        #expect(isPassed.withLock { $0 })
    }

    @Test func `a busy serial queue shares a serial operation queue with others in turn`() async {
        let queue = queue(width: 1)
        let busy = SerialCallbackQueue(queue: queue)
        let other = SerialCallbackQueue(queue: queue)
        let order = Mutex<[String]>([])
        let gate = DispatchSemaphore(value: 0)
        busy.post { gate.wait() }
        for _ in 0..<100 { busy.post { order.withLock { $0.append("busy") } } }
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            other.post { order.withLock { $0.append("other") } }
            busy.post { done.resume() }
            gate.signal()
        }
        let place = order.withLock { $0.firstIndex(of: "other") }
        #expect(place.map { $0 < 100 } == true)
    }
}
