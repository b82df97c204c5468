import InternetAddresses
import NetworkMonitor
import Testing

@testable import AdaptableSession

/// Times are nanoseconds of a clock that the tests control.
@Suite struct ConnectivityWaitQueueTests {
    private static let second: Int64 = 1_000_000_000
    private let open = NetworkState([
        NetworkInterface(
            index: 2, name: "wlan0", kind: .wifi, addresses: [.v4(1)], routes: [NetworkInterface.Route(to: .allV4)])
    ]).path()
    private let closed = NetworkState([]).path()
    private let forbidden = NetworkState([
        NetworkInterface(
            index: 3, name: "wwan0", kind: .cellular, traits: .cellular, addresses: [.v4(1)],
            routes: [NetworkInterface.Route(to: .allV4)])
    ])

    private func pendingTask(_ task: Int, waits: Bool = true, host: String = "api.test", forbids: PathTraits = [])
        -> ConnectivityWaitQueue.PendingTask
    {
        ConnectivityWaitQueue.PendingTask(task: task, host: host, waits: waits, forbids: forbids)
    }

    private func queue(_ change: (inout ConnectivityWaitPolicy) -> Void = { _ in }) -> ConnectivityWaitQueue {
        var policy = ConnectivityWaitPolicy()
        change(&policy)
        return ConnectivityWaitQueue(policy: policy)
    }

    @Test func `with a path a task starts without a notification`() {
        var queue = queue()
        #expect(queue.begin(pendingTask(1), path: open) == [.start(task: 1)])
    }

    @Test func `without a path a task waits, is notified once, and starts automatically`() {
        var queue = queue()
        #expect(queue.begin(pendingTask(1), path: closed) == [.notify(task: 1)])
        #expect(queue.isWaiting(1))
        #expect(queue.nextDeadline == nil)
        #expect(queue.pathChanged(now: 5) { _ in closed } == [])
        #expect(queue.pathChanged(now: 6) { _ in open } == [.start(task: 1)])
        #expect(!queue.isWaiting(1))
    }

    @Test func `a task that does not wait fails immediately with the reason`() {
        var queue = queue()
        #expect(queue.begin(pendingTask(1, waits: false), path: closed) == [.fail(task: 1, .path(.noNetwork))])
        let path = forbidden.path(forbidding: .cellular)
        #expect(
            queue.begin(pendingTask(2, waits: false, forbids: .cellular), path: path) == [
                .fail(task: 2, .path(.forbidden(.cellular)))
            ])
        #expect(queue.pathChanged(now: 1) { _ in open } == [])
        var patient = self.queue { $0.waitsOnlyIfRequested = false }
        #expect(patient.begin(pendingTask(1, waits: false), path: closed) == [.notify(task: 1)])
    }

    @Test func `the notification is sent once even if the network comes and goes`() {
        for once in [true, false] {
            var queue = queue { $0.notifiesOnce = once }
            #expect(queue.begin(pendingTask(1), path: closed) == [.notify(task: 1)])
            _ = queue.pathChanged(now: 1) { _ in open }
            #expect(
                queue.attemptFailed(pendingTask(1), .attempt, path: closed, now: 2) == (once ? [] : [.notify(task: 1)]))
            _ = queue.pathChanged(now: 3) { _ in open }
            #expect(
                queue.attemptFailed(pendingTask(1), .attempt, path: open, now: 4) == (once ? [] : [.notify(task: 1)]))
        }
    }

    @Test func `every waiting task is notified and started`() {
        var queue = queue()
        for task in 1...20 { #expect(queue.begin(pendingTask(task), path: closed) == [.notify(task: task)]) }
        #expect(queue.pathChanged(now: 1) { _ in open } == (1...20).map { .start(task: $0) })
    }

    @Test func `a forbidden path that appears starts nothing`() {
        for honours in [true, false] {
            var queue = queue { $0.honoursForbidden = honours }
            _ = queue.begin(pendingTask(1, forbids: .cellular), path: closed)
            let actions = queue.pathChanged(now: 1) { forbidden.path(forbidding: $0.forbids) }
            #expect(actions == (honours ? [] : [.start(task: 1)]))
        }
    }

    @Test func `a failed attempt is retried after delays that grow up to a limit`() {
        var queue = queue()
        var now: Int64 = 0
        #expect(queue.attemptFailed(pendingTask(1), .attempt, path: open, now: now) == [.notify(task: 1)])
        for pause: Int64 in [1, 2, 4, 5, 5] {
            #expect(queue.nextDeadline == now + pause * Self.second)
            now += pause * Self.second
            #expect(queue.timer(at: now - 1) == [])
            #expect(queue.timer(at: now) == [.start(task: 1)])
            #expect(queue.nextDeadline == nil)
            #expect(queue.attemptFailed(pendingTask(1), .attempt, path: open, now: now) == [])
        }
        var final = self.queue { $0.waitsAfterFailedAttempt = false }
        #expect(final.attemptFailed(pendingTask(1), .attempt, path: open, now: 0) == [.fail(task: 1, .attempt)])
        var steady = self.queue { $0.longestPause = $0.firstPause }
        _ = steady.attemptFailed(pendingTask(1), .attempt, path: open, now: 0)
        _ = steady.timer(at: Self.second)
        _ = steady.attemptFailed(pendingTask(1), .attempt, path: open, now: 0)
        #expect(steady.nextDeadline == Self.second)
    }

    @Test func `of many tasks for an unreachable host one tries at a time, and its success starts the others`() {
        var queue = queue()
        for task in 1...5 { _ = queue.attemptFailed(pendingTask(task), .attempt, path: open, now: 0) }
        #expect(queue.nextDeadline == Self.second)
        #expect(queue.timer(at: Self.second) == [.start(task: 1)])
        #expect(queue.timer(at: 9 * Self.second) == [])
        #expect(queue.connected(pendingTask(1)) == (2...5).map { .start(task: $0) })
        var flood = self.queue { $0.triesHostOnce = false }
        for task in 1...3 { _ = flood.attemptFailed(pendingTask(task), .attempt, path: open, now: 0) }
        #expect(flood.timer(at: 9 * Self.second).count == 3)
    }

    @Test func `when the trying task is cancelled the next one tries`() {
        var queue = queue()
        for task in 1...2 { _ = queue.attemptFailed(pendingTask(task), .attempt, path: open, now: 0) }
        #expect(queue.timer(at: Self.second) == [.start(task: 1)])
        #expect(queue.remove(1, now: Self.second) == [.start(task: 2)])
        #expect(queue.remove(2, now: Self.second) == [])
        #expect(queue.nextDeadline == nil)
    }

    @Test func `a cancelled task is neither notified nor started`() {
        var queue = queue()
        _ = queue.begin(pendingTask(1), path: closed)
        #expect(queue.remove(1, now: 0) == [])
        #expect(queue.pathChanged(now: 1) { _ in open } == [])
    }

    @Test func `a task that was connected does not wait again`() {
        for only in [true, false] {
            var queue = queue { $0.waitsOnlyBeforeFirstConnection = only }
            #expect(queue.begin(pendingTask(1), path: open) == [.start(task: 1)])
            #expect(queue.connected(pendingTask(1)) == [])
            let actions = queue.attemptFailed(pendingTask(1), .attempt, path: open, now: 0)
            #expect(actions == (only ? [.fail(task: 1, .attempt)] : [.notify(task: 1)]))
        }
    }

    @Test func `a connection returned unused does not count as connected`() {
        var queue = queue()
        _ = queue.begin(pendingTask(1), path: open)
        _ = queue.connected(pendingTask(1))
        queue.returnedConnection(1)
        #expect(queue.begin(pendingTask(1), path: closed) == [.notify(task: 1)])
    }

    @Test func `a name that does not exist is an error and a silent name server is missing connectivity`() {
        var queue = queue()
        #expect(queue.attemptFailed(pendingTask(1), .lookup, path: open, now: 0) == [.fail(task: 1, .lookup)])
        #expect(queue.attemptFailed(pendingTask(2), .lookup, path: closed, now: 0) == [.notify(task: 2)])
        #expect(queue.attemptFailed(pendingTask(3), .unanswered, path: open, now: 0) == [.notify(task: 3)])
    }

    @Test func `no timer retries while the path is missing`() {
        var queue = queue()
        _ = queue.attemptFailed(pendingTask(1), .attempt, path: open, now: 0)
        _ = queue.pathChanged(now: 1) { _ in closed }
        #expect(queue.nextDeadline == nil)
        #expect(queue.timer(at: 60 * Self.second) == [])
        #expect(queue.isWaiting(1))
        #expect(queue.pathChanged(now: 2) { _ in open } == [.start(task: 1)])
        var deaf = self.queue { $0.startsWhenPathOpens = false }
        _ = deaf.begin(pendingTask(1), path: closed)
        #expect(deaf.pathChanged(now: 1) { _ in open } == [])
    }
}
