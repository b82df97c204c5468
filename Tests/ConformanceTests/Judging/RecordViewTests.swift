import AdapterProtocol
import Testing

@testable import Record
@testable import ScenarioLanguage
@testable import Conformance

@Suite struct RecordViewTests {
    private static func event(_ sequence: UInt64, at time: Int64) -> RecordEntry {
        RecordEntry(
            time: time,
            fact: .session(
                SessionEvent(
                    sequence: sequence, time: time,
                    kind: .task(
                        "first",
                        .inspected(
                            state: "\(sequence)", bytesReceived: 0, bytesSent: 0, expectedToReceive: 0,
                            expectedToSend: 0))))
        )
    }

    /// Threads may write early events late; judging uses the order of time, and of the record for equal times.
    @Test func `entries are ordered by time`() throws {
        let entries = [
            RecordEntry(time: 30, fact: .command(sequence: 1, text: "c")),
            RecordEntry(time: 10, fact: .command(sequence: 2, text: "a")),
            RecordEntry(time: 30, fact: .command(sequence: 3, text: "d")),
            RecordEntry(time: 20, fact: .command(sequence: 4, text: "b")),
        ]
        let view = RecordView(scenario: try Run().scenario(), entries: entries)
        #expect(view.commands.map(\.text) == ["a", "b", "c", "d"])
        #expect(view.commands.map(\.moment.entry) == [1, 3, 0, 2])
        #expect(view.commands.map(\.moment.rank) == [0, 1, 2, 3])
    }

    /// The sequence number decides; a clock that runs backwards does not change the order.
    @Test func `session events keep the order of their numbers`() throws {
        let entries = [
            Self.event(1, at: 10), Self.event(3, at: 15), Self.event(2, at: 40),
            RecordEntry(time: 30, fact: .command(sequence: 1, text: "x")),
            Self.event(4, at: 20),
        ]
        let view = RecordView(scenario: try Run().scenario(), entries: entries)
        #expect(view.sessionEvents.map(\.event.sequence) == [1, 2, 3, 4])
        #expect(view.sessionEvents.map(\.moment.rank) == [0, 2, 3, 4])
        #expect(view.commands.map(\.moment.rank) == [1])
    }

    @Test func `requests include their responses and closes`() throws {
        var run = Run.resumed()
        run.add(.server(.fault(connection: 9, request: nil, point: "accept", effect: "close")))
        let view = try run.view()
        #expect(view.requests.map(\.number) == [1, 2])
        let (first, second) = (try #require(view.request(1)), try #require(view.request(2)))
        #expect(first.faults == [Labelled(.reset)])
        #expect(first.sentBytes == 16_384 && !first.hasResponse && first.status == 200)
        #expect(
            second.rangeStart == 16_384 && second.contentRange?.first == 16_384
                && second.contentRange?.complete == 65_536)
        #expect(second.hasResponse && second.sentBytesEnd == 65_536)
        #expect(view.closings[1]?.by == .reset && view.closings[2] == nil)
    }

    @Test(
        arguments: [
            ("bytes=5-", 5), ("bytes=5-9", 5), ("bytes=-5", nil), ("items=5-", nil), ("bytes=x-", nil),
        ] as [(String, Int64?)])
    func `the start of a range is parsed`(text: String, start: Int64?) throws {
        var run = Run()
        run.request(1, "/hello", [HeaderField("range", text)])
        #expect(try run.view().request(1)?.rangeStart == start)
    }

    @Test func `a request belongs to the active task`() throws {
        let view = try Run.resumed().view()
        #expect(view.requests(of: "first")?.map(\.number) == [1])
        #expect(view.requests(of: "second")?.map(\.number) == [2])
        #expect(view.startedTasks == ["first", "second"])
    }

    @Test func `a request to another host does not belong to the task`() throws {
        var run = Run(
            "origin: { //other.test/hello: { text: hello } }\nsteps:\n  - { data: //other.test/hello, as: first }")
        run.start("first")
        run.request(1, "/hello")
        #expect(try run.view().requests(of: "first")?.isEmpty == true)
    }
}
