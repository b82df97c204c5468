import LinkEmulator
import Scenario
import Testing

@testable import Harness

@Suite struct InteractiveLabTimelineTests {
    private let down = [NetworkChange.interfaceState(.wifi, .down)]
    private let up = [NetworkChange.interfaceState(.wifi, .up)]

    private func query(_ host: String) -> DNSFact { DNSFact(host: host, type: "A", reply: "", client: "") }

    @Test func `triggers of time and progress fire once each, with their delay`() {
        var timeline = InteractiveLabTimeline(
            [
                TimelineEntry(trigger: Trigger(.time(.seconds(3))), changes: down),
                TimelineEntry(trigger: Trigger(.query(host: "a.test", count: 2), delay: .seconds(1)), changes: up),
            ], breakpoints: [], start: 1_000)
        #expect(timeline.advance(to: 1_000) == [])
        #expect(timeline.nextDeadline == 3_000_001_000)
        timeline.record(query("a.test"))
        timeline.record(query("b.test"))
        #expect(timeline.advance(to: 2_000) == [])
        timeline.record(query("A.test"))
        #expect(timeline.advance(to: 3_000) == [])
        #expect(timeline.nextDeadline == 1_000_003_000)
        #expect(timeline.advance(to: 1_000_003_000).count == 1)
        #expect(timeline.unreached.map(\.changes) == [down])
        #expect(timeline.advance(to: 9_000_000_000) == [.apply(down, because: "3.0 seconds after the start")])
        #expect(timeline.advance(to: 99_000_000_000) == [])
        #expect(timeline.nextDeadline == nil && timeline.unreached.isEmpty)
    }

    /// The origin waits at the byte until the change is in force.
    @Test func `a byte mark is released after its change`() {
        let trigger = Trigger(.responseBody(bytes: 100, request: 1))
        var timeline = InteractiveLabTimeline(
            [TimelineEntry(trigger: trigger, changes: down)], breakpoints: [.init(request: 1, bytes: 100)], start: 0)
        timeline.record(.responseBody(request: 1, bytes: 99))
        #expect(timeline.advance(to: 1) == [])
        timeline.record(.responseBody(request: 1, bytes: 100))
        #expect(
            timeline.advance(to: 2) == [
                .apply(down, because: trigger.summary), .releaseBreakpoint(request: 1, bytes: 100),
            ])
    }

    @Test func `connections, requests and packets are counted`() {
        let triggers: [Trigger.Moment] = [.connection(2), .request(1), .packet(.wifi, .uplink, count: 5)]
        var timeline = InteractiveLabTimeline(
            triggers.map { TimelineEntry(trigger: Trigger($0), changes: down) }, breakpoints: [], start: 0)
        timeline.record(.accepted(connection: 0, client: "", port: 0))
        #expect(timeline.advance(to: 1) == [])
        timeline.record(.accepted(connection: 0, client: "", port: 0))
        #expect(timeline.advance(to: 1).count == 1)
        timeline.record(.requestHead(connection: 1, exchange: 1, request: 1, method: "GET", target: "/", headers: []))
        #expect(timeline.advance(to: 1).count == 1)
        timeline.record(PacketBreakpoint(interface: .wifi, direction: .uplink, place: .packet(5)))
        #expect(timeline.advance(to: 1).count == 1)
    }

    @Test func `a new condition ends the profile steps of its interface only`() {
        func step(_ kind: InterfaceKind, after seconds: Int) -> TimelineEntry {
            TimelineEntry(trigger: Trigger(.time(.seconds(seconds))), changes: [.link(kind, .perfect)])
        }
        let own = TimelineEntry(trigger: Trigger(.time(.seconds(4))), changes: [.link(.wifi, .perfect)])
        var timeline = InteractiveLabTimeline(
            [own], steps: [step(.wifi, after: 1), step(.wifi, after: 3), step(.cellular, after: 3)], breakpoints: [],
            start: 0)
        #expect(timeline.advance(to: 1_000_000_000).count == 1)
        timeline.endSteps(of: .wifi)
        #expect(timeline.advance(to: 3_000_000_000).map(Self.kinds) == [[.cellular]])
        #expect(timeline.advance(to: 9_000_000_000).map(Self.kinds) == [[.wifi]])
        #expect(timeline.unreached.isEmpty)
    }

    private static func kinds(_ action: InteractiveLabTimeline.Action) -> [InterfaceKind] {
        guard case .apply(let changes, because: _) = action else { return [] }
        return changes.compactMap { if case .link(let kind, _) = $0 { kind } else { nil } }
    }
}
