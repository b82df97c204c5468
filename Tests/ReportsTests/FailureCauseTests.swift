import AdapterProtocol
import LinkEmulator
import Record
import ScenarioLanguage
import Testing

@testable import Reports

/// The excerpt of a failure must hold its cause, however many entries lie between the cause and the evidence.
@Suite struct FailureCauseTests {
    private static let noise = (0..<200).map { RecordEntry.Fact.note(.other("\($0)")) }

    private static func record(_ facts: [RecordEntry.Fact]) -> [RecordEntry] {
        facts.enumerated().map { RecordEntry(time: Int64($0.offset) * 1000, fact: $0.element) }
    }

    private static func causes(_ facts: [RecordEntry.Fact], evidence: [Int] = []) -> [String] {
        Excerpt(of: record(facts), evidence: evidence).lines.compactMap {
            if case .entry(let line, .cause) = $0 { String(line.dropFirst(23)) } else { nil }
        }
    }

    @Test(
        arguments: [
            (.network(.interfaceState(.wifi, .down)), "wifi is down"),
            (.network(.interfaceChanged(.cellular, "new addresses")), "cellular: new addresses"),
            (.network(.dnsService("dns slow.test=nxdomain")), "name service: dns slow.test=nxdomain"),
            (
                .name(
                    DNSFact(
                        host: "api.test", type: "A", reply: "nxdomain, over TCP", client: "192.0.2.2",
                        failure: .nxdomain)),
                "192.0.2.2 queries api.test A: nxdomain, over TCP"
            ),
            (
                .server(.fault(connection: 1, request: 2, point: "response body byte 9", effect: "reset")),
                "fault on connection 1, request 2: reset at response body byte 9"
            ),
            (.server(.tlsFailed(connection: 1, reason: "expired")), "connection 1: TLS failed: expired"),
            (
                .adapter(.standardError("a.swift:3: Fatal error: no task")),
                "writes to standard error: a.swift:3: Fatal error: no task"
            ),
            (.adapter(.signalled(11)), "ended by signal 11 (segmentation fault)"),
            (.adapter(.exited(code: 3)), "exits with status 3"),
            (.note(.conditionNotKept("late")), "note: the condition was not kept: late"),
        ] as [(RecordEntry.Fact, String)])
    func `a cause far from the evidence is shown`(_ fact: RecordEntry.Fact, _ line: String) {
        let facts = [.stepsBegan, fact] + Self.noise
        #expect(Self.causes(facts, evidence: [facts.count - 1]) == [line])
        #expect(Self.causes(facts) == [line])
    }

    @Test(
        arguments: [
            .name(DNSFact(host: "api.test", type: "A", reply: "203.0.113.10, after 5 ms", client: "c")),
            .name(DNSFact(host: "api.test", type: "AAAA", reply: "2001:db8:113::10", client: "c")),
            .name(DNSFact(host: "api.test", type: "AAAA", reply: "fd00::1", client: "c")),
            .name(DNSFact(host: "api.test", type: "AAAA", reply: "no records", client: "c")),
            .adapter(.standardError("starting")), .adapter(.exited(code: 0)),
            .server(.closed(connection: 1, by: .client)),
        ] as [RecordEntry.Fact])
    func `ordinary entries are not causes`(_ fact: RecordEntry.Fact) {
        #expect(Self.causes([.stepsBegan, fact] + Self.noise).isEmpty)
    }

    @Test func `the network before the steps is not a change`() {
        #expect(Self.causes([.network(.interfaceState(.wifi, .up)), .stepsBegan] + Self.noise).isEmpty)
    }

    @Test(arguments: [InterfaceState.down, .noAddress, .noIPv4Route])
    func `an interface that is not up when the steps begin is a cause`(_ state: InterfaceState) {
        let facts = [.network(.interfaceState(.wifi, state)), .stepsBegan] + Self.noise
        #expect(Self.causes(facts, evidence: [150]).count == 1)
        let later: [RecordEntry.Fact] = [
            .network(.interfaceState(.wifi, state)), .network(.interfaceState(.wifi, .up)),
        ]
        #expect(Self.causes(later + [.stepsBegan] + Self.noise, evidence: [150]).isEmpty)
    }

    /// As in handover/lost-lease-fails-at-once: the interface comes up a moment after the failure, close to it.
    @Test func `a change just after the evidence is shown without a mark`() {
        let facts: [RecordEntry.Fact] = [
            .network(.interfaceState(.wifi, .noAddress)), .stepsBegan, .note(.other("it fails")),
            .network(.interfaceState(.wifi, .up)), .adapter(.signalled(6)),
        ]
        let roles = Excerpt(of: Self.record(facts), evidence: [2]).text.map { $0.prefix(1) }
        #expect(roles == ["!", " ", ">", " ", "!"])
    }

    @Test func `a change after the evidence is not its cause, but the end of the adapter is`() {
        let facts =
            [.stepsBegan] + Self.noise + [.network(.interfaceState(.wifi, .down)), .adapter(.signalled(6))]
        #expect(Self.causes(facts, evidence: [50]) == ["ended by signal 6 (abort)"])
    }

    @Test func `a hundred faults leave room for the one change of the network`() {
        let faults = (0..<100).map {
            RecordEntry.Fact.server(.fault(connection: $0, request: nil, point: "start", effect: "reset"))
        }
        let facts = [.stepsBegan, .network(.interfaceState(.wifi, .down))] + faults + Self.noise
        let causes = Self.causes(facts)
        #expect(causes.count == Excerpt.mostCauses)
        #expect(causes.first == "wifi is down")
        #expect(causes.last?.hasPrefix("fault on connection 99") == true)
    }
}
