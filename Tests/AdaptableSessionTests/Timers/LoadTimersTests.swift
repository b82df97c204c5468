import Testing

@testable import AdaptableSession

/// Seconds stand for nanoseconds here: only the running clock matters. Request limit 10, resource limit 100.
@Suite struct LoadTimersTests {
    private func timers(_ change: (inout TimerPolicy) -> Void = { _ in }) -> LoadTimers {
        var policy = TimerPolicy()
        change(&policy)
        return LoadTimers(request: 10, resource: 100, policy: policy, now: 0)
    }

    @Test func `silence for the request limit is the request timeout`() {
        let timers = timers()
        #expect(timers.nextDeadline == 10)
        #expect(timers.expired(at: 9) == nil)
        #expect(timers.expired(at: 10) == .request)
    }

    @Test func `each received byte restarts the request timer`() {
        var timers = timers()
        timers.received(now: 8)
        #expect(timers.expired(at: 17) == nil)
        #expect(timers.expired(at: 18) == .request)
    }

    @Test func `silence begins with the last byte, and again when a reason to stop ends`() {
        var timers = timers()
        #expect(timers.silentSince == 0)
        timers.received(now: 4)
        #expect(timers.silentSince == 4)
        timers.sent(now: 6)
        #expect(timers.silentSince == 6)
        timers.setHold(.deciding, true, now: 7)
        #expect(timers.silentSince == nil)
        timers.setHold(.deciding, false, now: 9)
        #expect(timers.silentSince == 9)
    }

    @Test func `each sent byte restarts the request timer`() {
        var timers = timers()
        timers.sent(now: 8)
        #expect(timers.nextDeadline == 18)
    }

    @Test func `the resource timeout expires even while bytes flow`() {
        var timers = timers()
        for now in stride(from: Int64(5), through: 95, by: 5) { timers.received(now: now) }
        #expect(timers.expired(at: 99) == nil)
        #expect(timers.expired(at: 100) == .resource)
    }

    @Test func `waiting for connectivity stops the request timer and not the resource timer`() {
        var timers = timers()
        timers.setHold(.waiting, true, now: 3)
        #expect(timers.nextDeadline == 100)
        timers.setHold(.waiting, false, now: 50)
        #expect(timers.nextDeadline == 60)
        #expect(timers.expired(at: 60) == .request)
    }

    @Test func `suspension stops both timers and keeps the used resource time`() {
        var timers = timers()
        timers.setHold(.suspended, true, now: 5)
        #expect(timers.nextDeadline == nil)
        timers.setHold(.suspended, false, now: 1000)
        #expect(timers.nextDeadline == 1010)
        for now in stride(from: Int64(1005), through: 1090, by: 5) { timers.received(now: now) }
        #expect(timers.expired(at: 1094) == nil)
        #expect(timers.expired(at: 1095) == .resource)
    }

    @Test func `a timer with two reasons to stop runs again after both have ended`() {
        var timers = timers()
        timers.setHold(.waiting, true, now: 1)
        timers.setHold(.deciding, true, now: 2)
        timers.setHold(.waiting, false, now: 3)
        #expect(timers.nextDeadline == 100)
        timers.setHold(.deciding, false, now: 4)
        #expect(timers.nextDeadline == 14)
    }

    @Test func `policies decide which events stop and restart the timers`() {
        var deaf = timers { $0.receivedBytesRestart = false }
        deaf.received(now: 8)
        #expect(deaf.nextDeadline == 10)
        var impatient = timers { $0.waitingHoldsRequestTimer = false }
        impatient.setHold(.waiting, true, now: 1)
        #expect(impatient.nextDeadline == 10)
        #expect(timers { $0.requestTimerRuns = false }.nextDeadline == 100)
        #expect(timers { $0.resourceTimerRuns = false }.expired(at: 5000) == .request)
    }

    @Test func `unlimited timeouts do not overflow`() {
        let timers = LoadTimers(request: .max, resource: .max, policy: TimerPolicy(), now: 5)
        #expect(timers.nextDeadline == nil)
        #expect(MonotonicTime.nanoseconds(.infinity) == .max)
    }

    @Test func `a slow delegate stops the request timer and not the resource timer`() {
        var timers = timers()
        timers.setHold(.delivering, true, now: 5)
        #expect(timers.expired(at: 99) == nil)
        #expect(timers.expired(at: 100) == .resource)
        timers.setHold(.delivering, false, now: 50)
        #expect(timers.nextDeadline == 60)
    }
}
