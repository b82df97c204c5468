import Foundation
import Testing
import TransferProtocol

@testable import TransferDaemon

// The resource timeout is 1000 s: half of it is left at 500 s, a quarter at 750 s. The rows lie one second on both sides
// of a limit, so that a limit at another place, or with the wrong direction, fails.

struct VerdictRow: Sendable, CustomTestStringConvertible {
    let requirement: String
    var task: ScheduledTask
    var conditions: TransferConditions = .good
    var client: TransferClientState = .absent
    var time: Double = 0
    let verdict: TransferVerdict
    /// Seconds; nil: not part of the row.
    var next: Double?

    var testDescription: String { "\(requirement): \(verdict) at \(time) s" }
}

private let later = task(1, discretionary: true)

private let begin: [VerdictRow] = [
    VerdictRow(
        requirement: "SCHD-01", task: task(1, begin: 100), time: 99, verdict: .wait(.beginDate), next: 1),
    VerdictRow(requirement: "SCHD-01", task: task(1, begin: 100), time: 100, verdict: .run(.background), next: 1000),
    VerdictRow(requirement: "SCHD-02", task: task(1, begin: 5), conditions: .offline, time: 6, verdict: .wait(.path)),
    VerdictRow(requirement: "SCHD-04", task: task(1, begin: 100, asks: true), time: 99, verdict: .wait(.beginDate)),
    VerdictRow(requirement: "SCHD-04", task: task(1, begin: 100, asks: true), time: 100, verdict: .ask(.background)),
    VerdictRow(
        requirement: "SCHD-04", task: task(1, begin: 100, asks: true), conditions: .offline, time: 100,
        verdict: .wait(.path)),
    VerdictRow(requirement: "SCHD-05", task: task(1), verdict: .run(.background)),
]

private let discretionary: [VerdictRow] = [
    VerdictRow(requirement: "DISC-01", task: later, verdict: .run(.discretionary)),
    VerdictRow(requirement: "DISC-01", task: later, conditions: .wired, verdict: .run(.discretionary)),
    VerdictRow(requirement: "DISC-01", task: later, conditions: .cellular, verdict: .wait(.wifi), next: 500),
    VerdictRow(requirement: "DISC-01", task: later, conditions: .hotspot, verdict: .wait(.wifi)),
    VerdictRow(requirement: "DISC-01", task: later, conditions: .constrained, verdict: .wait(.wifi)),
    VerdictRow(requirement: "DISC-01", task: later, conditions: .wifiOnBattery, verdict: .wait(.power), next: 500),
    VerdictRow(
        requirement: "DISC-01", task: later, conditions: .cellular, client: .foreground, verdict: .wait(.wifi)),
    VerdictRow(
        requirement: "DISC-02", task: task(1), conditions: .cellularOnLowBattery, client: .foreground,
        verdict: .run(.foreground)),
    VerdictRow(
        requirement: "DISC-03", task: task(1, background: true), conditions: .cellular, client: .background,
        verdict: .wait(.wifi)),
    VerdictRow(
        requirement: "DISC-03", task: task(1, kind: .upload, background: true), conditions: .wifiOnBattery,
        verdict: .wait(.power)),
    VerdictRow(
        requirement: "DISC-03", task: task(1, kind: .data, background: true), conditions: .cellular,
        client: .background, verdict: .run(.background)),
    VerdictRow(
        requirement: "DISC-06", task: later, conditions: .wifiOnBattery, time: 499, verdict: .wait(.power), next: 1),
    VerdictRow(
        requirement: "DISC-06", task: later, conditions: .wifiOnBattery, time: 500, verdict: .run(.discretionary),
        next: 250),
    VerdictRow(requirement: "DISC-06", task: later, conditions: .cellular, time: 749, verdict: .wait(.wifi), next: 1),
    VerdictRow(
        requirement: "DISC-06", task: later, conditions: .cellularOnLowBattery, time: 750,
        verdict: .run(.discretionary), next: 250),
    VerdictRow(
        requirement: "DISC-06", task: task(1, discretionary: true, access: []), conditions: .cellular, time: 999,
        verdict: .wait(.path)),
    VerdictRow(
        requirement: "DISC-07", task: later, conditions: .wifiOnLowBattery, time: 500, verdict: .wait(.power),
        next: 250),
    VerdictRow(
        requirement: "DISC-07", task: later, conditions: .wifiOnLowBattery, time: 750, verdict: .run(.discretionary)),
]

private let others: [VerdictRow] = [
    VerdictRow(
        requirement: "BKGD-12", task: task(1, kind: .data), client: .background, verdict: .run(.background)),
    VerdictRow(requirement: "BKGD-12", task: task(1, kind: .data), client: .absent, verdict: .wait(.clientGone)),
    VerdictRow(requirement: "BKGD-16", task: task(1), conditions: .offline, verdict: .wait(.path), next: 1000),
    VerdictRow(
        requirement: "BKGD-16", task: task(1, host: "127.0.0.1"), conditions: .offline, verdict: .run(.background)),
    VerdictRow(requirement: "BKGD-20", task: task(1, retry: 30), time: 29, verdict: .wait(.retry), next: 1),
    VerdictRow(requirement: "BKGD-20", task: task(1, retry: 30), time: 30, verdict: .run(.background)),
    VerdictRow(requirement: "BKGD-20", task: task(1), time: 999, verdict: .run(.background), next: 1),
    VerdictRow(requirement: "BKGD-20", task: task(1), time: 1000, verdict: .timedOut),
    VerdictRow(requirement: "BKGD-20", task: task(1, begin: 500), time: 1499, verdict: .run(.background)),
    VerdictRow(requirement: "BKGD-20", task: task(1, begin: 500), time: 1500, verdict: .timedOut),
    VerdictRow(
        requirement: "CONN-14", task: task(1, access: [.expensive]), conditions: .cellular, verdict: .wait(.path)),
    VerdictRow(requirement: "CONN-15", task: task(1, access: [.cellular]), conditions: .hotspot, verdict: .wait(.path)),
    VerdictRow(
        requirement: "CONN-31", task: task(1, access: [.expensive]), conditions: .constrained, verdict: .wait(.path)),
    VerdictRow(
        requirement: "DISC-11", task: task(1), client: .foreground, verdict: .run(.foreground)),
]

@Suite struct TransferVerdictTests {
    @Test(arguments: begin + discretionary + others) func `the verdict follows the requirement`(_ row: VerdictRow) {
        let decided = SchedulingPolicy().decide(row.task, row.conditions, row.client, at: at(row.time))
        #expect(decided.verdict == row.verdict)
        if let next = row.next { #expect(decided.next == .seconds(next)) }
    }

    /// SCHD-01: neither direction of a change of the clock moves the beginning.
    @Test(arguments: [-7200, 7200] as [Double]) func `a changed wall clock does not move the beginning`(change: Double)
    {
        let policy = SchedulingPolicy()
        let task = task(1, begin: 100)
        let before = policy.decide(task, .good, .absent, at: at(99, wallSetBy: change))
        let after = policy.decide(task, .good, .absent, at: at(100, wallSetBy: change))
        #expect(before.verdict == .wait(.beginDate))
        #expect(after.verdict == .run(.background))
    }

    @Test func `a suspended task waits without a timeout`() {
        var task = task(1, timeout: 1)
        task.state = .suspended
        let decided = SchedulingPolicy().decide(task, .good, .foreground, at: at(5000))
        #expect(decided.verdict == .wait(.suspended))
        #expect(decided.next == nil)
    }

    @Test(arguments: [
        ("http://localhost:80", true), ("http://a.localhost:80", true), ("http://127.0.0.1:81", true),
        ("http://::1:81", true), ("http://127.example.com:80", false), ("http://example.com:80", false), ("", false),
    ]) func `only hosts of this machine are local`(origin: String, isLocal: Bool) {
        #expect(TransferOrigin.isLocal(origin) == isLocal)
    }

    @Test func `the origin has scheme host and port`() throws {
        func origin(_ text: String) throws -> String {
            TransferOrigin.of(TransferRequest(url: try #require(URL(string: text))))
        }
        #expect(try origin("HTTPS://Example.com/a") == "https://example.com:443")
        #expect(try origin("http://example.com:8080/a") == "http://example.com:8080")
        #expect(try TransferOrigin.isLocal(origin("http://[::1]:81/")))
    }
}
