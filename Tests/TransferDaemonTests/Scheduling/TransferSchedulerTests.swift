import Foundation
import Testing
import TransferProtocol

@testable import TransferDaemon

private func numbers(_ actions: [TransferScheduler.Action]) -> [Int] {
    actions.compactMap { action in
        switch action {
        case .start(let key): key.number
        case .stop, .ask, .timeOut: nil
        }
    }
}

@Suite struct TransferSchedulerTests {
    private func scheduler(
        limit: Int = 3, perHost: Int = 2, _ conditions: TransferConditions = .good
    ) -> TransferScheduler {
        var policy = SchedulingPolicy()
        policy.limit = limit
        policy.limitPerHost = perHost
        return TransferScheduler(policy: policy, conditions: conditions)
    }

    /// DISC-11: foreground, then background, then discretionary; in each by priority, then by age.
    @Test func `more urgent tasks start first`() {
        var scheduler = scheduler(limit: 6, perHost: 6)
        scheduler.setClient(.foreground, ofSession: "front")
        for added in [
            task(1, discretionary: true), task(2), task(3, priority: 0.9), task(4), task(5, session: "front"),
            task(6, session: "front", discretionary: true),
        ] { scheduler.update(added) }
        #expect(numbers(scheduler.next(at: at(0))) == [5, 3, 2, 4, 1, 6])
        #expect(scheduler.next(at: at(0)) == [])
    }

    @Test func `the limits hold and a freed place is filled`() {
        var scheduler = scheduler(limit: 3, perHost: 2)
        for number in 1...3 { scheduler.update(task(number, host: "a")) }
        for number in 4...6 { scheduler.update(task(number, host: "b")) }
        // Two of host a, then one of b; the limit is 3.
        #expect(numbers(scheduler.next(at: at(0))) == [1, 2, 4])
        scheduler.remove(key(4))
        // Host a lacks a free place, although task 3 is older.
        #expect(numbers(scheduler.next(at: at(0))) == [5])
        scheduler.remove(key(1))
        #expect(numbers(scheduler.next(at: at(0))) == [3])
        #expect(scheduler.runningCount == 3)
    }

    @Test func `a session may limit its connections further`() {
        var scheduler = scheduler(limit: 9, perHost: 3)
        scheduler.setLimitPerHost(1, ofSession: "s")
        for number in 1...3 { scheduler.update(task(number)) }
        scheduler.update(task(4, session: "other"))
        #expect(numbers(scheduler.next(at: at(0))) == [1, 4])
        scheduler.setLimitPerHost(9, ofSession: "s")
        #expect(numbers(scheduler.next(at: at(0))) == [2, 3])
    }

    @Test func `an urgent task takes the place of the newest discretionary one`() {
        var scheduler = scheduler(limit: 2)
        scheduler.update(task(1, host: "a", discretionary: true))
        scheduler.update(task(2, host: "b", discretionary: true))
        _ = scheduler.next(at: at(0))
        scheduler.update(task(3, host: "c", discretionary: true))
        #expect(scheduler.next(at: at(1)) == [])
        scheduler.update(task(4, host: "d"))
        #expect(scheduler.next(at: at(2)) == [.stop(key(2), .displaced), .start(key(4))])
        scheduler.update(task(5, host: "e"))
        scheduler.update(task(6, host: "f"))
        #expect(scheduler.next(at: at(3)) == [.stop(key(1), .displaced), .start(key(5))])
        // Ordinary tasks do not displace each other; the displaced ones return in their order.
        scheduler.remove(key(4))
        #expect(numbers(scheduler.next(at: at(4))) == [6])
        scheduler.remove(key(5))
        scheduler.remove(key(6))
        #expect(numbers(scheduler.next(at: at(5))) == [1, 2])
    }

    /// DISC-01, DISC-06.
    @Test func `a discretionary transfer stops when conditions worsen`() {
        var scheduler = scheduler()
        scheduler.update(task(1, discretionary: true))
        scheduler.update(task(2))
        #expect(numbers(scheduler.next(at: at(0))) == [2, 1])
        scheduler.setConditions(.cellular, at: at(10))
        #expect(scheduler.next(at: at(10)) == [.stop(key(1), .obstacle(.wifi))])
        #expect(scheduler.delay(at: at(10)) == .seconds(490))
        scheduler.setConditions(.wifiOnBattery, at: at(20))
        #expect(scheduler.next(at: at(20)) == [])
        scheduler.setConditions(.good, at: at(30))
        #expect(scheduler.next(at: at(30)) == [.start(key(1))])
    }

    /// DISC-06: the scheduler wakes by itself when the conditions are relaxed.
    @Test func `a discretionary task starts as its timeout comes near`() {
        var scheduler = scheduler(.cellularOnLowBattery)
        scheduler.update(task(1, discretionary: true))
        var now = 0.0
        var actions = scheduler.next(at: at(now))
        while actions.isEmpty, let delay = scheduler.delay(at: at(now)), now < 2000 {
            now += delay.inSeconds
            actions = scheduler.next(at: at(now))
        }
        #expect(actions == [.start(key(1))])
        #expect(now == 750)
    }

    /// DISC-04.
    @Test func `the foreground lifts only what the background imposed`() {
        var scheduler = scheduler(.cellular)
        scheduler.setClient(.background, ofSession: "s")
        scheduler.update(task(1, background: true))
        scheduler.update(task(2, discretionary: true, background: true))
        #expect(scheduler.next(at: at(0)) == [])
        scheduler.setClient(.foreground, ofSession: "s")
        #expect(scheduler.next(at: at(3)) == [.start(key(1))])
        // It does not come back with the next background.
        scheduler.setClient(.absent, ofSession: "s")
        #expect(scheduler.next(at: at(4)) == [])
    }

    /// BKGD-12.
    @Test func `a data task stops when its client is gone`() {
        var scheduler = scheduler()
        scheduler.setClient(.background, ofSession: "s")
        scheduler.update(task(1, kind: .data))
        scheduler.update(task(2))
        #expect(numbers(scheduler.next(at: at(0))) == [1, 2])
        scheduler.setClient(.absent, ofSession: "s")
        #expect(scheduler.next(at: at(1)) == [.stop(key(1), .obstacle(.clientGone))])
    }

    /// BKGD-16, BKGD-17: a new path is a reason to retry at once, the loss of the old one is not.
    @Test func `another path ends the wait for a retry`() {
        var scheduler = scheduler()
        scheduler.update(task(1))
        _ = scheduler.next(at: at(0))
        scheduler.ended(task(1, retry: 300))
        #expect(scheduler.next(at: at(0)) == [])
        #expect(scheduler.delay(at: at(0)) == .seconds(300))
        scheduler.setConditions(.wifiOnBattery, at: at(10))
        #expect(scheduler.next(at: at(10)) == [])
        scheduler.setConditions(.offline, at: at(20))
        #expect(scheduler.next(at: at(20)) == [])
        scheduler.setConditions(.cellular, at: at(30))
        #expect(scheduler.next(at: at(30)) == [.start(key(1))])
    }

    @Test func `a retry is due after its delay`() {
        var scheduler = scheduler()
        scheduler.update(task(1, retry: 30))
        #expect(scheduler.next(at: at(0)) == [])
        #expect(scheduler.delay(at: at(0)) == .seconds(30))
        #expect(scheduler.next(at: at(29.9)) == [])
        #expect(scheduler.next(at: at(30)) == [.start(key(1))])
    }

    /// SCHD-04, SCHD-08.
    @Test func `a delayed task asks once and starts with the decision`() {
        var scheduler = scheduler()
        scheduler.update(task(1, begin: 5, asks: true))
        #expect(scheduler.next(at: at(0)) == [])
        #expect(scheduler.delay(at: at(0)) == .seconds(5))
        #expect(scheduler.next(at: at(5)) == [.ask(key(1))])
        scheduler.setConditions(.wired, at: at(6))
        #expect(scheduler.next(at: at(6)) == [])
        scheduler.update(task(1, begin: 5))
        #expect(scheduler.next(at: at(7)) == [.start(key(1))])
    }

    /// BKGD-27: a task that waits for a decision frees its place, and its timeout runs.
    @Test func `a task that waits for a decision times out`() {
        var scheduler = scheduler(limit: 1)
        scheduler.update(task(1, timeout: 10))
        scheduler.update(task(2))
        #expect(scheduler.next(at: at(0)) == [.start(key(1))])
        scheduler.hold(key(1))
        #expect(scheduler.next(at: at(1)) == [.start(key(2))])
        #expect(scheduler.delay(at: at(1)) == .seconds(9))
        #expect(scheduler.next(at: at(10)) == [.timeOut(key(1))])
        #expect(scheduler.count == 1)
    }

    @Test func `a task that was answered competes again`() {
        var scheduler = scheduler()
        scheduler.update(task(1))
        _ = scheduler.next(at: at(0))
        scheduler.hold(key(1))
        #expect(scheduler.next(at: at(1)) == [])
        scheduler.update(task(1))
        #expect(scheduler.next(at: at(2)) == [.start(key(1))])
    }

    /// BKGD-20.
    @Test func `a running task times out`() {
        var scheduler = scheduler()
        scheduler.update(task(1, timeout: 10))
        _ = scheduler.next(at: at(0))
        #expect(scheduler.next(at: at(9)) == [])
        #expect(scheduler.next(at: at(10)) == [.timeOut(key(1))])
        #expect(scheduler.runningCount == 0)
        #expect(scheduler.delay(at: at(10)) == nil)
    }

    @Test func `a suspended task stops and starts again when resumed`() {
        var scheduler = scheduler()
        scheduler.update(task(1))
        _ = scheduler.next(at: at(0))
        var suspended = task(1)
        suspended.state = .suspended
        scheduler.update(suspended)
        #expect(scheduler.next(at: at(1)) == [.stop(key(1), .obstacle(.suspended))])
        scheduler.update(task(1))
        #expect(scheduler.next(at: at(2)) == [.start(key(1))])
    }

    /// A host changes with the decision on a delayed request; the place of the old host must become free.
    @Test func `a task that moves to another host frees the first`() {
        var scheduler = scheduler(limit: 9, perHost: 1)
        scheduler.update(task(1, host: "a"))
        scheduler.update(task(2, host: "a"))
        #expect(scheduler.next(at: at(0)) == [.start(key(1))])
        scheduler.update(task(1, host: "b"))
        scheduler.ended(task(1, host: "b", retry: 5))
        #expect(scheduler.next(at: at(1)) == [.start(key(2))])
        #expect(scheduler.next(at: at(5)) == [.start(key(1))])
    }

    /// A seeded run of random inputs against the plain rule: a task that may run and has a free place runs, and no limit is
    /// exceeded. It covers the order of changes, which the cases above do not.
    @Test(arguments: 1...60 as ClosedRange<UInt64>) func `every free place is used and no limit is exceeded`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(state: seed)
        var scheduler = scheduler(limit: 4, perHost: 2)
        var known: [Int: ScheduledTask] = [:]
        var running: Set<Int> = []
        var asking: Set<Int> = []
        let conditions: [TransferConditions] = [.good, .cellular, .offline, .wifiOnBattery]
        for step in 1...400 {
            let now = at(Double(step))
            let number = Int.random(in: 1...12, using: &generator)
            switch Int.random(in: 0...6, using: &generator) {
            case 0, 1, 2:
                let new = task(
                    number, host: ["a", "b", "c"].randomElement(using: &generator)!,
                    begin: Bool.random(using: &generator) ? Double(step + 5) : nil, timeout: 5000,
                    discretionary: Bool.random(using: &generator))
                known[number] = new
                scheduler.update(new)
                asking.remove(number)
            case 3:
                scheduler.remove(key(number))
                known[number] = nil
                running.remove(number)
                asking.remove(number)
            case 4:
                guard let task = known[number] else { continue }
                scheduler.ended(task)
                running.remove(number)
                asking.remove(number)
            case 5:
                guard known[number] != nil else { continue }
                scheduler.hold(key(number))
                running.remove(number)
                asking.insert(number)
            default: scheduler.setConditions(conditions.randomElement(using: &generator)!, at: now)
            }
            // A displaced task is looked at by the second call.
            for action in scheduler.next(at: now) + scheduler.next(at: now) {
                switch action {
                case .start(let key): #expect(running.insert(key.number).inserted)
                case .stop(let key, _): #expect(running.remove(key.number) != nil)
                case .ask, .timeOut: Issue.record("unexpected \(action)")
                }
            }
            #expect(running.count <= 4 && running.count == scheduler.runningCount)
            let able = known.filter { number, task in
                switch scheduler.policy.decide(task, scheduler.conditions, .absent, at: now).verdict {
                case .run: !asking.contains(number)
                case .ask, .wait, .timedOut: false
                }
            }
            #expect(running.isSubset(of: able.keys))
            // A place is free and an able task does not run: then its host is full.
            for (number, task) in able where !running.contains(number) && running.count < 4 {
                #expect(scheduler.placesTaken(inLaneOf: task) >= 2, "task \(number) at step \(step)")
            }
        }
    }
}

/// SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
