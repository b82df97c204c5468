import AdapterProtocol
import LinkEmulator
import Record
import ScenarioLanguage
import Testing

@testable import Reports

/// The tones follow from the recorded values; texts that happen to contain a telling word must not change them.
@Suite struct RunTimelineTests {
    private static func lanes(_ facts: [RecordEntry.Fact]) -> [RunTimeline.Lane] {
        RunTimeline(facts.enumerated().map { RecordEntry(time: Int64($0.offset), fact: $0.element) }).lanes
    }

    @Test(
        arguments: [
            (nil, .good), (Failure(domain: "d", code: -1, text: "no error at all"), .bad),
            (Failure(domain: "d", code: -1, text: ""), .bad),
        ] as [(Failure?, RunTimeline.Tone)])
    func `a completion without an error is good`(failure: Failure?, tone: RunTimeline.Tone) throws {
        let lane = try #require(
            Self.lanes([Example.event(1, "first", .didComplete(failure, resumeDataLength: nil))]).last)
        #expect(lane.title == "first")
        #expect(lane.markers.map(\.tone) == [tone])
    }

    /// The labels of a picture in a separate file are measured for these fonts too; there is not a page to set them.
    @Test func `the picture has its own style`() {
        let entries = [RecordEntry(time: 0, fact: .network(.interfaceState(.wifi, .up)))]
        #expect(RunPage.svg(RunTimeline(entries)).contains("<style>text { font: 12px"))
    }

    @Test func `dropped packets are bad, changed ones are degraded, and unchanged ones are omitted`() throws {
        let fates: [NetworkFact.Fate] = [
            .passes, .dropped("loss"), .changed("copy dropped: loss"), .changed("overtakes"),
        ]
        let facts = fates.map { fate in
            RecordEntry.Fact.network(.packet(.wifi, .uplink, index: 1, length: 60, fate: fate, summary: "UDP"))
        }
        let lane = try #require(
            Self.lanes([.network(.interfaceState(.wifi, .up))] + facts).first { $0.title == "wifi" })
        #expect(lane.markers.map(\.tone) == [.bad, .degraded, .degraded])
        #expect(lane.markers.first?.label == "uplink packet 1 dropped: loss: UDP")
    }

    @Test(
        arguments: [("perfect: perfect", .good), ("perfection: loss 2%", .degraded), ("black hole", .degraded)]
            as [(String, RunTimeline.Tone)])
    func `a link is good when it is the perfect one`(requested: String, tone: RunTimeline.Tone) throws {
        let lane = try #require(
            Self.lanes([
                .network(.interfaceState(.wifi, .up)),
                .network(.conditionRequested(.wifi, .downlink, Labelled(text: requested))),
            ]).first { $0.title == "wifi" })
        #expect(lane.segments.last?.tone == tone)
        #expect(lane.segments.last?.label == requested)
    }

    @Test func `a request ends with its connection`() throws {
        let lane = try #require(
            Self.lanes([
                .server(.accepted(connection: 1, client: "192.0.2.2", port: 40312)),
                .server(
                    .requestHead(connection: 1, exchange: 1, request: 1, method: "GET", target: "/big", headers: [])),
                .server(.responseHead(request: 1, status: 200, headers: [])),
                .server(.closed(connection: 1, by: .reset)), .note(.other("later")), .note(.other("the end")),
            ]).first { $0.title == "connection 1" })
        let bar = try #require(lane.segments.first { $0.label.hasPrefix("1: GET /big") })
        #expect(bar.from == 1 && bar.to == 3)
        #expect(bar.label == "1: GET /big → 200, never ended" && bar.tone == .bad)
    }

    @Test func `the state of an interface at the start is not a change`() {
        let facts: [RecordEntry.Fact] = [
            .network(.interfaceState(.wifi, .down)), .stepsBegan, .network(.interfaceState(.wifi, .up)),
        ]
        #expect(Self.lanes(facts).first { $0.title == "changes" }?.markers.map(\.short) == ["wifi up"])
    }

    @Test func `the steps begin with a marker`() throws {
        let lane = try #require(Self.lanes([.stepsBegan, .step("resume first")]).first)
        #expect(lane.markers.map(\.label) == ["the steps begin", "resume first"])
    }
}
