import AdapterProtocol
import LinkEmulator
import Testing

@testable import Record
@testable import ScenarioLanguage
@testable import Conformance

/// Tests with extreme numbers. Numbers in a record come from adapters and clients: whatever they are, judging must end
/// with a finding and not with a trap.
@Suite struct ExtremeNumberTests {
    private static let extremes: [Int64] = [.min, .min + 1, -1, 0, .max - 1, .max]

    @Test func `extreme progress numbers are judged`() throws {
        for first in Self.extremes {
            for second in Self.extremes {
                var run = Run(Run.resumeSetup)
                run.start("first")
                run.report("first", .didResumeAtOffset(offset: first, expected: second))
                run.report("first", .didWriteData(written: second, totalWritten: first, expected: second))
                run.report("first", .didWriteData(written: first, totalWritten: second, expected: first))
                #expect(try run.found("progress: { task: first, kind: download, final: 1, monotonic: true }") != nil)
            }
        }
    }

    @Test func `extreme ranges and counts of the wire are judged`() throws {
        for first in Self.extremes {
            var run = Run(Run.resumeSetup)
            run.start("first")
            for number in 1...2 {
                run.request(number, "/big", [HeaderField("Range", "bytes=\(first)-")])
                run.answer(
                    number, status: 206, [HeaderField("Content-Range", "bytes \(first)-\(Int64.max)/\(Int64.max)")],
                    bytes: .max)
            }
            run.response("first", status: 206, url: "http://api.test/big", [HeaderField("Content-Length", "\(first)")])
            run.report("first", .didReceiveData([1]))
            run.report("first", .didResumeAtOffset(offset: first, expected: first))
            run.complete("first")
            _ = try run.found("resumeOffset: { task: first, offset: sameAsOnTheWire }")
            _ = try run.outcome()
        }
    }

    @Test func `extreme file pieces and times are judged`() throws {
        for first in Self.extremes {
            var run = Run(Run.resumeSetup)
            run.start("first")
            run.report("first", .fileContent(offset: first, [1]))
            run.report("first", .didFinishDownloading(length: first))
            run.complete("first")
            var entries = run.entries
            for sequence in [1, 2] as [UInt64] {
                entries.append(
                    RecordEntry(
                        time: first, fact: .session(SessionEvent(sequence: sequence, time: first, kind: .log("")))))
                entries.append(
                    RecordEntry(time: 0, fact: .session(SessionEvent(sequence: .max, time: .max, kind: .log("")))))
            }
            let scenario = try run.scenario(["timing: { from: start, to: first.didComplete, atMost: 1s }"])
            #expect(Judge.outcome(scenario: scenario, entries: entries) != .pass)
        }
    }

    @Test(arguments: [Int64.min, Int64.max])
    func `an event at an extreme time is judged`(time: Int64) throws {
        let run = Run.plain()
        for index in run.entries.indices.dropFirst() {
            var entries = run.entries
            entries[index].time = time
            if case .session(var event) = entries[index].fact {
                event.time = time == .max ? .min : .max
                entries[index].fact = .session(event)
            }
            let scenario = try run.scenario([
                "timing: { from: start, to: first.didComplete, atMost: 1s }",
                "order: [first.didReceiveResponse, first.didComplete]",
            ])
            _ = Judge.outcome(scenario: scenario, entries: entries)
        }
    }

    @Test func `packet counts that overflow are judged`() throws {
        var run = Run()
        for direction in LinkDirectionName.allCases {
            run.add(.network(.packetCounts(.wifi, direction, packets: .max, bytes: .max)))
        }
        #expect(try run.found("packets: { interface: wifi, direction: both, atMost: 5 }") != nil)
    }
}
