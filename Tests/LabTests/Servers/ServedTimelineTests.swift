import AdapterProtocol
import LinkEmulator
import Record
import ScenarioLanguage
import Testing

@testable import Lab

/// The choice is a value, so it needs neither sockets nor a client.
@Suite struct ServedTimelineTests {
    private let change = NetworkChange.proxy(ProxyChange(proxy: "front", faults: []))

    @Test func `changes of proxies are played at the moments that servers observe`() {
        let moments: [Trigger.Moment] = [
            .sinceStart(.seconds(1)), .request(2), .responseSent(bytes: 9, request: 1),
            .acknowledged(bytes: 9, request: 1),
            .server(ServerMoment(.responseHead)), .connection(1),
            .proxy(ProxyMoment(proxy: "front", event: .tunnel(1))),
        ]
        let entries = moments.map { TimelineEntry(trigger: Trigger($0), changes: [change]) }
        let timeline = ServedTimeline(entries)
        #expect(timeline.played == entries)
        #expect(timeline.omitted == [])
    }

    @Test func `every other change is named with the reason`() {
        let timeline = ServedTimeline([
            TimelineEntry(
                trigger: Trigger(.request(2)),
                changes: [
                    .interfaceState(.wifi, .down), .renumber(.wifi), change,
                    .name(DNSRule(host: "api.test", content: .origin)),
                ]),
            TimelineEntry(trigger: Trigger(.packet(.wifi, .uplink, count: 3)), changes: [change]),
            TimelineEntry(trigger: Trigger(.query(host: "api.test", count: 1)), changes: [change]),
            TimelineEntry(trigger: Trigger(.event("first", .didReceiveData, count: 1)), changes: [change]),
        ])
        #expect(timeline.played == [TimelineEntry(trigger: Trigger(.request(2)), changes: [change])])
        let rule = DNSRule(host: "api.test", content: .origin).summary
        #expect(
            timeline.omitted == [
                "wifi down, at request 2: there are links only in a lab",
                "wifi renumbered, at request 2: there are links only in a lab",
                "name \(rule), at request 2: there is a DNS server only in a lab",
                "proxy front: no faults, at packet 3 uplink on wifi: there are links only in a lab",
                "proxy front: no faults, at query 1 for api.test: there is a DNS server only in a lab",
                "proxy front: no faults, at first.didReceiveData: the steps are not played",
            ])
    }
}
