import Foundation
import GRDB
import Testing
import TransferProtocol

@testable import TransferDaemon

// Each test reopens the store before it looks where the point is durability, so that nothing in memory can answer.

@Suite struct TransferStoreTests {
    /// JSON lacks infinity.
    @Test func `An infinite timeout is kept`() throws {
        let place = try TemporaryStore()
        var endless = settings()
        endless.requestTimeout = .infinity
        try place.store.save(endless)
        #expect(try place.store.sessions() == [endless])
    }

    private let place: TemporaryStore
    private var store: TransferStore { place.store }

    init() throws {
        place = try TemporaryStore()
        try place.store.save(settings())
    }

    @Test func `every commit is synchronised to a WAL`() throws {
        let modes = try store.queue.read { db in
            (
                try Int.fetchOne(db, sql: "PRAGMA synchronous"), try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(db, sql: "PRAGMA foreign_keys")
            )
        }
        // 2 is FULL.
        #expect(modes.0 == 2)
        #expect(modes.1 == "wal")
        #expect(modes.2 == 1)
    }

    @Test func `settings are replaced and keep their tasks`() throws {
        _ = try store.add(draft(), at: moment)
        var changed = settings()
        changed.isDiscretionary = true
        try store.save(changed)
        try store.save(settings("other"))
        _ = try place.reopen()
        #expect(try store.sessions() == [changed, settings("other")])
        #expect(try store.session("s") == changed)
        #expect(try store.session("none") == nil)
        #expect(try store.tasks(ofSession: "s").count == 1)
    }

    /// Every field of a task has another value than its default, so that a column that is not read shows.
    @Test func `a task keeps every field`() throws {
        var task = TransferTask(
            session: "s", number: 0, kind: .download,
            request: TransferRequest(
                url: URL(string: "http://h:81/a?b")!, method: "POST",
                headerFields: [TransferHeaderField("A", "1")], body: .data(bytes: Data([0, 1])), timeout: 7,
                allowsCellular: false),
            counts: TransferCounts(
                sent: 1, expectedToSend: 2, received: 3, expectedToReceive: 4, clientExpectsToSend: 5,
                clientExpectsToReceive: 6),
            priority: 0.75, label: "label", earliestBeginDate: moment.wall.addingTimeInterval(60),
            isDiscretionary: true, wasCreatedInBackground: true, created: moment.wall.addingTimeInterval(-1.5))
        let stored = try store.add(task, at: moment)
        task.number = 1
        #expect(stored == task)
        _ = try place.reopen()
        #expect(try store.task(key(1)) == task)
        #expect(try store.tasks(ofSession: "s") == [task])
        let expected = ScheduledTask(
            key: key(1), kind: .download, state: .suspended, origin: "http://h:81", order: 1, priority: 0.75,
            isDiscretionary: true, wasCreatedInBackground: true, access: [.expensive, .constrained],
            timers: TransferTimers(anchor: moment, begin: .seconds(60), resource: .seconds(600)),
            resourceTimeout: .seconds(600), failures: 0, needsDelayedDecision: true)
        #expect(try store.scheduled() == [expected])
        #expect(try store.scheduled(key(1)) == expected)
    }

    @Test func `numbers are not reused and count for each session`() throws {
        try store.save(settings("other"))
        #expect(try store.add([draft(), draft()], at: moment).map(\.number) == [1, 2])
        _ = try store.complete(key(2), counts: TransferCounts())
        try store.acknowledge(through: 1, ofSession: "s")
        _ = try place.reopen()
        #expect(try store.add(draft(), at: moment).number == 3)
        #expect(try store.add(draft(session: "other"), at: moment).number == 1)
    }

    /// The client numbers its tasks, and repeats a command whose reply it did not see.
    @Test func `a number that the client gives is kept and refused the second time`() throws {
        var task = draft()
        task.number = 5
        #expect(try store.add(task, at: moment).number == 5)
        #expect(try store.hasAccepted(key(5)))
        #expect(try !store.hasAccepted(key(6)))
        #expect(throws: StoreError.usedNumber(session: "s", number: 5)) { try store.add(task, at: moment) }
        #expect(try store.add(draft(), at: moment).number == 6)
        #expect(try store.allTasks(ofSession: "s").map(\.number) == [5, 6])
    }

    @Test func `changes of a task are stored`() throws {
        _ = try store.add(draft(), at: moment)
        try store.setState(.running, of: key(1), at: moment)
        try store.setPriority(1, of: key(1))
        try store.setLabel("new", of: key(1))
        try store.setCounts(TransferCounts(received: 9), of: key(1))
        let later = TransferInstant(wall: moment.wall, uptime: moment.uptime + .seconds(100), boot: moment.boot)
        try store.setRetry(failures: 3, after: .seconds(8), of: key(1), at: later)
        try store.setKind(.data, of: key(1))
        try store.setResumeData(Data([7]), of: key(1))
        _ = try place.reopen()
        let task = try store.task(key(1))
        #expect(task.state == .running)
        #expect(task.priority == 1)
        #expect(task.label == "new")
        #expect(task.counts.received == 9)
        #expect(task.kind == .data)
        let scheduled = try store.scheduled(key(1))
        #expect(scheduled.failures == 3)
        #expect(scheduled.timers.untilRetry(at: later) == .seconds(8))
        #expect(scheduled.timers.untilResourceTimeout(at: later) == .seconds(500))
        #expect(try store.resumeData(of: key(1)) == Data([7]))
        try store.setResumeData(nil, of: key(1))
        #expect(try store.resumeData(of: key(1)) == nil)
    }

    @Test func `a suspended task does not use its resource timeout`() throws {
        _ = try store.add(draft(), at: moment)
        try store.setState(.running, of: key(1), at: moment)
        func instant(_ seconds: Int) -> TransferInstant {
            TransferInstant(wall: moment.wall, uptime: moment.uptime + .seconds(seconds), boot: moment.boot)
        }
        try store.setState(.suspended, of: key(1), at: instant(100))
        try store.setState(.running, of: key(1), at: instant(5000))
        #expect(try store.scheduled(key(1)).timers.untilResourceTimeout(at: instant(5001)) == .seconds(499))
    }

    /// The clock is set back by a day, and the machine restarts afterwards: without new anchors the wait would begin again.
    @Test func `a restart after the clock was set back does not extend the wait`() throws {
        var task = draft()
        task.earliestBeginDate = moment.wall.addingTimeInterval(1000)
        _ = try store.add(task, at: moment)
        let setBack = TransferInstant(
            wall: moment.wall.addingTimeInterval(-86_400), uptime: moment.uptime + .seconds(900), boot: moment.boot)
        try store.reanchor(at: setBack)
        _ = try place.reopen()
        let restarted = TransferInstant(wall: setBack.wall.addingTimeInterval(60), uptime: .seconds(5), boot: UUID())
        #expect(try store.scheduled(key(1)).timers.untilBegin(at: restarted) == .seconds(40))
    }

    /// SCHD-08, SCHD-09.
    @Test func `the decision on a delayed request replaces the request`() throws {
        var task = draft()
        task.earliestBeginDate = moment.wall
        _ = try store.add([task, task], at: moment)
        try store.setDelayedDecision(nil, of: key(1))
        let new = TransferRequest(url: URL(string: "http://other/b")!, allowsCellular: false)
        try store.setDelayedDecision(new, of: key(2))
        _ = try place.reopen()
        #expect(try store.scheduled().map(\.needsDelayedDecision) == [false, false])
        #expect(try store.task(key(1)).request == task.request)
        #expect(try store.task(key(2)).request == new)
        #expect(try store.task(key(2)).originalRequest == task.request)
        #expect(try store.scheduled(key(2)).origin == "http://other:80")
        #expect(try !store.scheduled(key(2)).access.contains(.cellular))
    }

    @Test func `the foreground lifts the background of one session`() throws {
        try store.save(settings("other"))
        for session in ["s", "other"] {
            var task = draft(session: session)
            task.wasCreatedInBackground = true
            _ = try store.add(task, at: moment)
        }
        try store.liftBackground(ofSession: "s")
        #expect(try store.scheduled().map(\.wasCreatedInBackground) == [false, true])
    }

    @Test func `unknown sessions and tasks are errors`() throws {
        #expect(throws: StoreError.unknownSession("none")) { try store.add(draft(session: "none"), at: moment) }
        #expect(throws: StoreError.unknownTask(session: "s", number: 4)) { try store.setLabel("", of: key(4)) }
        #expect(throws: StoreError.unknownTask(session: "s", number: 4)) { try store.task(key(4)) }
        #expect(throws: StoreError.unknownSession("none")) { try store.removeSession("none") }
    }

    @Test func `a removed session takes its tasks, files and events along`() throws {
        _ = try store.add(draft(.upload, body: .file(path: try place.file("body", "x"))), at: moment)
        _ = try store.append(.resumed(offset: 1, expectedTotal: 2), task: 1, ofSession: "s")
        try store.removeSession("s")
        try store.save(settings())
        #expect(place.names("uploads") == [])
        #expect(try store.tasks(ofSession: "s") == [])
        #expect(try store.events(ofSession: "s") == [])
    }

    @Test func `the pacing of launches belongs to the program`() throws {
        let launch = TransferLaunch(command: ["/bin/app", "-b"], environment: ["A": "1"])
        var pacing = LaunchPacing()
        pacing.launched(at: moment)
        pacing.launched(at: moment)
        try store.setPacing(pacing, of: launch)
        _ = try place.reopen()
        #expect(try store.pacing(of: TransferLaunch(command: ["/bin/app", "-b"])) == pacing)
        #expect(try store.pacing(of: TransferLaunch(command: ["/bin/app"])) == LaunchPacing())
        pacing.reset()
        try store.setPacing(pacing, of: launch)
        #expect(try store.pacing(of: launch) == LaunchPacing())
    }

    @Test func `only resumed uploads and downloads keep the client from being launched`() throws {
        _ = try store.add([draft(), draft(.data), draft()], at: moment)
        #expect(try store.outstanding(ofSession: "s").unfinished == 0)
        for number in 1...3 { try store.setState(.running, of: key(number), at: moment) }
        #expect(try store.outstanding(ofSession: "s").unfinished == 2)
        _ = try store.complete(key(1), counts: TransferCounts())
        let outstanding = try store.outstanding(ofSession: "s")
        #expect(outstanding.unfinished == 1)
        #expect(outstanding.events == 1)
    }
}
