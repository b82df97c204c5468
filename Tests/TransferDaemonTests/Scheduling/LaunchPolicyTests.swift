import Foundation
import Testing
import TransferProtocol

@testable import TransferDaemon

struct LaunchRow: Sendable, CustomTestStringConvertible {
    let requirement: String
    var client: TransferClientState = .absent
    var unfinished = 0
    var events = 0
    var questions = 0
    var sendsLaunchEvents = true
    var hasCommand = true
    let reason: LaunchReason?

    var testDescription: String { requirement + ": " + (reason?.rawValue ?? "no launch") }
}

@Suite struct LaunchPolicyTests {
    @Test(arguments: [
        LaunchRow(requirement: "BKGD-22", unfinished: 2, questions: 1, reason: .question),
        LaunchRow(requirement: "BKGD-22", client: .background, unfinished: 2, questions: 1, reason: nil),
        LaunchRow(requirement: "BKGD-23", unfinished: 1, events: 2, reason: nil),
        LaunchRow(requirement: "BKGD-23", unfinished: 0, events: 3, reason: .finished),
        LaunchRow(requirement: "BKGD-23", unfinished: 0, events: 0, reason: nil),
        LaunchRow(requirement: "BKGD-23", client: .foreground, events: 3, reason: nil),
        LaunchRow(requirement: "BKGD-32", events: 3, sendsLaunchEvents: false, reason: nil),
        LaunchRow(requirement: "BKGD-32", questions: 3, sendsLaunchEvents: false, reason: nil),
        LaunchRow(requirement: "BKGD-32", events: 3, hasCommand: false, reason: nil),
    ]) func `the client is launched for questions and at the end`(_ row: LaunchRow) {
        var settings = TransferSettings(identifier: "s", sendsLaunchEvents: row.sendsLaunchEvents)
        settings.launch = row.hasCommand ? TransferLaunch(command: ["/bin/app"]) : nil
        let facts = LaunchFacts(
            client: row.client, unfinished: row.unfinished, events: row.events, questions: row.questions)
        #expect(settings.launchReason(facts) == row.reason)
    }

    /// BKGD-33: 0, 10, 20, 40 s …, at most a day.
    @Test func `the delay doubles with each launch until the foreground`() {
        var pacing = LaunchPacing()
        var delays: [Double] = []
        for _ in 1...18 {
            delays.append(pacing.delay(at: at(0)).inSeconds)
            pacing.launched(at: at(0))
        }
        #expect(delays.prefix(5) == [0, 10, 20, 40, 80])
        #expect(delays.last == 86_400)
        pacing.reset()
        #expect(pacing.delay(at: at(0)) == .zero)
    }

    @Test func `the delay counts from the last launch whatever the wall clock does`() {
        var pacing = LaunchPacing()
        pacing.launched(at: at(0))
        pacing.launched(at: at(100))
        #expect(pacing.delay(at: at(105, wallSetBy: -7200)) == .seconds(15))
        #expect(pacing.delay(at: at(120, wallSetBy: -7200)) == .zero)
        #expect(pacing.delay(at: at(119, wallSetBy: 7200)) == .seconds(1))
    }
}
