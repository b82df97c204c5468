import AdapterProtocol
import LinkEmulator
import Record
import ScenarioLanguage
import Conformance
import Testing

@testable import Lab
@testable import LinkEngines

/// The player is a value, so the times of changes need neither a clock nor a lab.
@Suite struct TimelinePlayerTests {
    private let down = [NetworkChange.interfaceState(.wifi, .down)]
    private let up = [NetworkChange.interfaceState(.wifi, .up)]

    private func query(_ host: String) -> LabEvent { .name(DNSFact(host: host, type: "A", reply: "", client: "")) }

    private func player(_ entries: [TimelineEntry], steps: [TimelineEntry] = [], start: Int64 = 0) -> TimelinePlayer {
        var scenario = Scenario(file: "a.yaml", id: "a", title: "a")
        scenario.timeline = entries
        return TimelinePlayer(scenario, steps: steps, start: start)
    }

    @Test func `triggers of time and progress fire once each, with their delay`() {
        let time = Trigger(.sinceStart(.seconds(3)))
        var player = player(
            [
                TimelineEntry(trigger: time, changes: down),
                TimelineEntry(trigger: Trigger(.query(host: "a.test", count: 2), delay: .seconds(1)), changes: up),
            ], start: 1_000)
        #expect(player.advance(to: 1_000) == [])
        #expect(player.nextDeadline == 3_000_001_000)
        player.record(query("a.test"))
        player.record(query("b.test"))
        #expect(player.advance(to: 2_000) == [])
        player.record(query("A.test"))
        #expect(player.advance(to: 3_000) == [])
        #expect(player.nextDeadline == 1_000_003_000)
        #expect(player.advance(to: 1_000_003_000).count == 1)
        #expect(player.unreached.map(\.changes) == [down])
        #expect(player.advance(to: 9_000_000_000) == [.init(cause: .trigger(time), immediate: down)])
        #expect(player.advance(to: 99_000_000_000) == [])
        #expect(player.nextDeadline == nil && player.unreached.isEmpty)
    }

    /// The origin waits at the byte until the change is in force.
    @Test func `a byte breakpoint is released after its change`() {
        let trigger = Trigger(.responseSent(bytes: 100, request: 1))
        var player = player([TimelineEntry(trigger: trigger, changes: down)])
        player.record(.server(.responseBody(request: 1, bytes: 99)))
        #expect(player.advance(to: 1) == [])
        #expect(player.releaseBreakpoints(at: 1) == [])
        player.record(.server(.responseBody(request: 1, bytes: 100)))
        #expect(player.advance(to: 2) == [.init(cause: .trigger(trigger), immediate: down)])
        #expect(player.releaseBreakpoints(at: 2) == [.response(request: 1, bytes: 100)])
        #expect(player.releaseBreakpoints(at: 3) == [])
    }

    /// Steps of profiles stay behind added entries, so that a new condition still ends them.
    @Test func `entries are added while the timeline plays, and removed with their breakpoints`() {
        let byte = Trigger(.responseSent(bytes: 100, request: 3))
        let step = TimelineEntry(
            trigger: Trigger(.sinceStart(.seconds(9))),
            changes: [.link(.wifi, LinkPlan(name: "a", downlink: .perfect, uplink: .perfect))])
        var player = player([TimelineEntry(trigger: Trigger(.sinceStart(.seconds(5))), changes: up)], steps: [step])
        player.add(TimelineEntry(trigger: byte, changes: down))
        player.add(TimelineEntry(trigger: Trigger(.request(1)), changes: []))
        player.record(
            .server(.requestHead(connection: 1, exchange: 1, request: 1, method: "GET", target: "/", headers: [])))
        #expect(player.advance(to: 1) == [.init(cause: .trigger(Trigger(.request(1))), immediate: [])])
        player.record(.server(.responseBody(request: 3, bytes: 100)))
        #expect(player.advance(to: 2) == [.init(cause: .trigger(byte), immediate: down)])
        #expect(player.releaseBreakpoints(at: 2) == [.response(request: 3, bytes: 100)])

        player.add(TimelineEntry(trigger: Trigger(.responseSent(bytes: 7, request: 4)), changes: down))
        player.add(TimelineEntry(trigger: Trigger(.packet(.wifi, .uplink, count: 2)), changes: down))
        #expect(player.unreached.count == 4)
        #expect(player.removeAdded() == [.response(request: 4, bytes: 7)])
        #expect(player.removeAdded() == [])
        #expect(player.unreached.count == 2)
        player.endSteps(of: .wifi)
        #expect(player.unreached.map(\.changes) == [up])
        #expect(player.advance(to: 5_000_000_000).map(\.immediate) == [up])
    }

    @Test func `moments count from now, except packets, which their link counts`() {
        var player = player([], start: 1_000)
        for request in 1...2 {
            player.record(.server(.accepted(connection: request, client: "", port: 1)))
            player.record(
                .server(
                    .requestHead(
                        connection: request, exchange: 1, request: request, method: "GET", target: "/", headers: [])))
        }
        player.record(.server(.responseEnded(request: 1, bytes: 5)))
        player.record(query("A.test"))
        let now: Int64 = 4_000
        let moments: [(Trigger.Moment, Trigger.Moment)] = [
            (.sinceStart(.nanoseconds(500)), .sinceStart(.nanoseconds(3_500))), (.request(1), .request(3)),
            (.responseSent(bytes: 9, request: 1), .responseSent(bytes: 9, request: 3)),
            (.acknowledged(bytes: 9, request: 2), .acknowledged(bytes: 9, request: 4)),
            (.connection(1), .connection(3)), (.query(host: "a.test", count: 1), .query(host: "a.test", count: 2)),
            (.query(host: "b.test", count: 1), .query(host: "b.test", count: 1)),
            (.server(ServerMoment(.responseEnded)), .server(ServerMoment(.responseEnded, count: 2))),
            (
                .server(ServerMoment(.responseEnded, request: 1)), .server(ServerMoment(.responseEnded, request: 3))
            ),
            (.packet(.wifi, .uplink, count: 4), .packet(.wifi, .uplink, count: 4)),
        ]
        for (moment, expected) in moments { #expect(player.tracker.fromNow(moment, at: now) == expected) }
    }

    /// Only what a server waits at has to be released; a link is resumed by the lab.
    @Test func `a proxy is released when it reports its byte, and packets are not among the releases`() {
        let moment = ProxyMoment(proxy: "p", event: .carried(.downlink, bytes: 10, request: 1))
        var player = player(
            [Trigger(.proxy(moment)), Trigger(.packet(.wifi, .uplink, count: 5))].map {
                TimelineEntry(trigger: $0, changes: [])
            })
        player.record(.breakpoint(PacketBreakpoint(interface: .wifi, direction: .uplink, place: .packet(5))))
        #expect(player.advance(to: 1).count == 1)
        #expect(player.releaseBreakpoints(at: 1) == [])
        player.record(.proxy(ProxyFact(proxy: "p", connection: 1, event: .carried(request: 1, .downlink, bytes: 10))))
        #expect(player.releaseBreakpoints(at: 2) == [.proxy(moment)])
    }

    @Test func `connections, requests and packets are counted`() {
        let triggers: [Trigger.Moment] = [.connection(2), .request(1), .packet(.wifi, .uplink, count: 5)]
        var player = player(triggers.map { TimelineEntry(trigger: Trigger($0), changes: down) })
        player.record(.server(.accepted(connection: 0, client: "", port: 0)))
        #expect(player.advance(to: 1) == [])
        player.record(.server(.accepted(connection: 0, client: "", port: 0)))
        #expect(player.advance(to: 1).count == 1)
        player.record(
            .server(.requestHead(connection: 1, exchange: 1, request: 1, method: "GET", target: "/", headers: [])))
        #expect(player.advance(to: 1).count == 1)
        player.record(.breakpoint(PacketBreakpoint(interface: .wifi, direction: .uplink, place: .packet(5))))
        #expect(player.advance(to: 1).count == 1)
    }

    @Test func `flapping plays its steps at their times until another change of the interface`() {
        let flaps = NetworkChange.flaps(
            .wifi, Flapping(times: 2, downFor: .milliseconds(200), upFor: .milliseconds(300)))
        let trigger = Trigger(.sinceStart(.seconds(1)))
        var player = player([TimelineEntry(trigger: trigger, changes: [flaps, .renumber(.wifi)])])
        #expect(
            player.advance(to: 1_000_000_000) == [
                .init(cause: .trigger(trigger), flapping: [flaps], immediate: [.renumber(.wifi)]),
                .init(cause: .flapping, immediate: down),
            ])
        #expect(player.nextDeadline == 1_200_000_000)
        #expect(player.advance(to: 1_200_000_000) == [.init(cause: .flapping, immediate: up)])
        #expect(player.start(up, because: .request, at: 1_300_000_000) == .init(cause: .request, immediate: up))
        #expect(player.nextDeadline == nil)
    }

    @Test func `a new condition ends the profile steps of its interface only`() {
        func step(_ kind: InterfaceKind, after seconds: Int) -> TimelineEntry {
            TimelineEntry(trigger: Trigger(.sinceStart(.seconds(seconds))), changes: [.link(kind, .perfect)])
        }
        let own = TimelineEntry(trigger: Trigger(.sinceStart(.seconds(4))), changes: [.link(.wifi, .perfect)])
        var player = player(
            [own], steps: [step(.wifi, after: 1), step(.wifi, after: 3), step(.cellular, after: 3)])
        #expect(player.advance(to: 1_000_000_000).count == 1)
        player.endSteps(of: .wifi)
        #expect(player.advance(to: 3_000_000_000).map(\.immediate) == [[.link(.cellular, .perfect)]])
        #expect(player.advance(to: 9_000_000_000).map(\.immediate) == [[.link(.wifi, .perfect)]])
        #expect(player.unreached.isEmpty)
    }
}
