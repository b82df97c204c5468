import AdaptableSession
import LinuxNet
import Testing

/// Times are nanoseconds of a clock that the tests hold.
@Suite struct WaitingRoomTests {
    private static let second: Int64 = 1_000_000_000
    private let open = NetworkState([
        NetworkInterface(
            index: 2, name: "wlan0", kind: .wifi, addresses: [.v4(1)], ways: [NetworkInterface.Way(to: .allV4)])
    ]).path()
    private let closed = NetworkState([]).path()
    private let forbidden = NetworkState([
        NetworkInterface(
            index: 3, name: "wwan0", kind: .cellular, traits: .cellular, addresses: [.v4(1)], ways: [NetworkInterface.Way(to: .allV4)])
    ])

    private func guest(_ task: Int, waits: Bool = true, host: String = "api.test", forbids: PathTraits = []) -> WaitingRoom.Guest {
        WaitingRoom.Guest(task: task, host: host, waits: waits, forbids: forbids)
    }

    private func room(_ change: (inout WaitingPolicy) -> Void = { _ in }) -> WaitingRoom {
        var policy = WaitingPolicy()
        change(&policy)
        return WaitingRoom(policy: policy)
    }

    @Test func `With a path a task starts and nobody is told anything`() {
        var room = room()
        #expect(room.begin(guest(1), path: open) == [.start(task: 1)])
    }

    @Test func `Without a path a task waits, is told once, and starts by itself`() {
        var room = room()
        #expect(room.begin(guest(1), path: closed) == [.tell(task: 1)])
        #expect(room.isWaiting(1))
        #expect(room.nextDeadline == nil)
        #expect(room.pathChanged(now: 5) { _ in closed } == [])
        #expect(room.pathChanged(now: 6) { _ in open } == [.start(task: 1)])
        #expect(!room.isWaiting(1))
    }

    @Test func `A task that does not wait fails at once with the reason`() {
        var room = room()
        #expect(room.begin(guest(1, waits: false), path: closed) == [.fail(task: 1, .path(.noNetwork))])
        let path = forbidden.path(forbidding: .cellular)
        #expect(room.begin(guest(2, waits: false, forbids: .cellular), path: path) == [.fail(task: 2, .path(.forbidden(.cellular)))])
        #expect(room.pathChanged(now: 1) { _ in open } == [])
        var patient = self.room { $0.waitsOnlyIfAsked = false }
        #expect(patient.begin(guest(1, waits: false), path: closed) == [.tell(task: 1)])
    }

    @Test func `The message comes once however often the network comes and goes`() {
        for once in [true, false] {
            var room = room { $0.tellsOnce = once }
            #expect(room.begin(guest(1), path: closed) == [.tell(task: 1)])
            _ = room.pathChanged(now: 1) { _ in open }
            #expect(room.attemptFailed(guest(1), .attempt, path: closed, now: 2) == (once ? [] : [.tell(task: 1)]))
            _ = room.pathChanged(now: 3) { _ in open }
            #expect(room.attemptFailed(guest(1), .attempt, path: open, now: 4) == (once ? [] : [.tell(task: 1)]))
        }
    }

    @Test func `Every waiting task is told for itself and all start`() {
        var room = room()
        for task in 1...20 { #expect(room.begin(guest(task), path: closed) == [.tell(task: task)]) }
        #expect(room.pathChanged(now: 1) { _ in open } == (1...20).map { .start(task: $0) })
    }

    @Test func `A forbidden path that appears starts nothing`() {
        for heeds in [true, false] {
            var room = room { $0.heedsForbidden = heeds }
            _ = room.begin(guest(1, forbids: .cellular), path: closed)
            let actions = room.pathChanged(now: 1) { forbidden.path(forbidding: $0.forbids) }
            #expect(actions == (heeds ? [] : [.start(task: 1)]))
        }
    }

    @Test func `A failed attempt is waited out, with pauses that grow to a limit`() {
        var room = room()
        var now: Int64 = 0
        #expect(room.attemptFailed(guest(1), .attempt, path: open, now: now) == [.tell(task: 1)])
        for pause: Int64 in [1, 2, 4, 5, 5] {
            #expect(room.nextDeadline == now + pause * Self.second)
            now += pause * Self.second
            #expect(room.timer(at: now - 1) == [])
            #expect(room.timer(at: now) == [.start(task: 1)])
            #expect(room.nextDeadline == nil)
            #expect(room.attemptFailed(guest(1), .attempt, path: open, now: now) == [])
        }
        var final = self.room { $0.waitsAfterFailedAttempt = false }
        #expect(final.attemptFailed(guest(1), .attempt, path: open, now: 0) == [.fail(task: 1, .attempt)])
        var steady = self.room { $0.longestPause = $0.firstPause }
        _ = steady.attemptFailed(guest(1), .attempt, path: open, now: 0)
        _ = steady.timer(at: Self.second)
        _ = steady.attemptFailed(guest(1), .attempt, path: open, now: 0)
        #expect(steady.nextDeadline == Self.second)
    }

    @Test func `Of many tasks for a host that does not answer one tries at a time, and its success starts the others`() {
        var room = room()
        for task in 1...5 { _ = room.attemptFailed(guest(task), .attempt, path: open, now: 0) }
        #expect(room.nextDeadline == Self.second)
        #expect(room.timer(at: Self.second) == [.start(task: 1)])
        #expect(room.timer(at: 9 * Self.second) == [])
        #expect(room.connected(guest(1)) == (2...5).map { .start(task: $0) })
        var storm = self.room { $0.triesHostOnce = false }
        for task in 1...3 { _ = storm.attemptFailed(guest(task), .attempt, path: open, now: 0) }
        #expect(storm.timer(at: 9 * Self.second).count == 3)
    }

    @Test func `When the one that tries is cancelled the next takes its place`() {
        var room = room()
        for task in 1...2 { _ = room.attemptFailed(guest(task), .attempt, path: open, now: 0) }
        #expect(room.timer(at: Self.second) == [.start(task: 1)])
        #expect(room.leave(1, now: Self.second) == [.start(task: 2)])
        #expect(room.leave(2, now: Self.second) == [])
        #expect(room.nextDeadline == nil)
    }

    @Test func `A cancelled task is neither told nor started`() {
        var room = room()
        _ = room.begin(guest(1), path: closed)
        #expect(room.leave(1, now: 0) == [])
        #expect(room.pathChanged(now: 1) { _ in open } == [])
    }

    @Test func `After a connection there is no way back to waiting`() {
        for only in [true, false] {
            var room = room { $0.waitsOnlyBeforeFirstConnection = only }
            #expect(room.begin(guest(1), path: open) == [.start(task: 1)])
            #expect(room.connected(guest(1)) == [])
            let actions = room.attemptFailed(guest(1), .attempt, path: open, now: 0)
            #expect(actions == (only ? [.fail(task: 1, .attempt)] : [.tell(task: 1)]))
        }
    }

    @Test func `A connection that was given back unused is as if it had never been`() {
        var room = room()
        _ = room.begin(guest(1), path: open)
        _ = room.connected(guest(1))
        room.gaveBack(1)
        #expect(room.begin(guest(1), path: closed) == [.tell(task: 1)])
    }

    @Test func `A name that does not exist is an error, a name server that is silent is missing connectivity`() {
        var room = room()
        #expect(room.attemptFailed(guest(1), .lookup, path: open, now: 0) == [.fail(task: 1, .lookup)])
        #expect(room.attemptFailed(guest(2), .lookup, path: closed, now: 0) == [.tell(task: 2)])
        #expect(room.attemptFailed(guest(3), .unanswered, path: open, now: 0) == [.tell(task: 3)])
        var patient = self.room { $0.waitsAfterFailedLookup = true }
        #expect(patient.attemptFailed(guest(1), .lookup, path: open, now: 0) == [.tell(task: 1)])
        var strict = self.room { $0.waitsAfterUnansweredLookup = false }
        #expect(strict.attemptFailed(guest(1), .unanswered, path: open, now: 0) == [.fail(task: 1, .unanswered)])
    }

    @Test func `Nothing is tried on a timer while there is no path`() {
        var room = room()
        _ = room.attemptFailed(guest(1), .attempt, path: open, now: 0)
        _ = room.pathChanged(now: 1) { _ in closed }
        #expect(room.nextDeadline == nil)
        #expect(room.timer(at: 60 * Self.second) == [])
        #expect(room.isWaiting(1))
        #expect(room.pathChanged(now: 2) { _ in open } == [.start(task: 1)])
        var deaf = self.room { $0.startsWhenPathOpens = false }
        _ = deaf.begin(guest(1), path: closed)
        #expect(deaf.pathChanged(now: 1) { _ in open } == [])
    }
}
