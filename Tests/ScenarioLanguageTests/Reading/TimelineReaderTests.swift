@testable import Record
import LinkEmulator
import Testing

@testable import ScenarioLanguage

/// Tests of a timeline in a separate file, which is read like the one in a scenario; moments that do not occur around a
/// program without steps are refused by name.
@Suite struct TimelineReaderTests {
    private var plan: NetworkPlan {
        var plan = NetworkPlan()
        plan.interfaces = [InterfacePlan(kind: .wifi, link: .perfect)]
        return plan
    }

    private func errors(_ text: String) -> [String] {
        switch TimelineReader.read(file: "t.yaml", text: text, in: plan) {
        case .success: []
        case .failure(let found): found.errors.map(\.description)
        }
    }

    @Test func `times and progress are read without a timeout`() throws {
        let entries = try TimelineReader.read(
            file: "t.yaml",
            text: """
                timeline:
                  - when: { sinceStart: 3h }
                    set: { wifi: down }
                  - when: { query: api.test, count: 2, after: 1s }
                    set: { dns: { api.test: nxdomain } }
                  - when: { packet: 100, direction: uplink }
                    set: { wifi: { both: { loss: 2% } } }
                """, in: plan
        ).get()
        #expect(
            entries.map(\.trigger.moment) == [
                .sinceStart(.seconds(10800)), .query(host: "api.test", count: 2), .packet(.wifi, .uplink, count: 100),
            ])
        #expect(entries[1].trigger.delay == .seconds(1))
    }

    @Test func `task events are refused at their position`() {
        let found = errors(
            """
            timeline:
              - when: first.didReceiveData
                set: { wifi: down }
              - when: { event: main.didBecomeInvalid }
                set: { wifi: down }
              - when: { wireBytes: 5kB }
                set: { wifi: down }
            """)
        #expect(found.count == 3)
        #expect(found[2].hasPrefix("t.yaml:6:24: the bytes of a flow"))
        #expect(found[0].hasPrefix("t.yaml:2:11: events of tasks") && found[0].contains("use sinceStart, request"))
        #expect(found[1].hasPrefix("t.yaml:4:20: "))
    }

    @Test(arguments: [
        ("timelin: []", "t.yaml:1:1: the key `timelin` does not exist"), ("", "t.yaml:1:1: "),
        ("timeline: []", "t.yaml:1:11: "),
        ("timeline:\n  - set: { wifi: down }", "t.yaml:2:5: "),
        ("timeline:\n  - when: { sinceStart: 1s }\n    set: { wired: down }", "t.yaml:3:12: "),
        ("timeline:\n  - when: { sinceStart: 1s }\n    set: { wifi: dwon }", "t.yaml:3:18: "),
    ])
    func `an error has its position`(_ text: String, _ start: String) {
        #expect(errors(text).contains { $0.hasPrefix(start) }, "\(errors(text))")
    }

    @Test func `a moment from outside uses the object under when`() throws {
        func read(_ text: String) -> Result<Trigger, ScenarioErrors> {
            TimelineReader.moment(text, from: "when", in: plan)
        }
        #expect(
            try read(#"{"packet":20,"on":"wifi","direction":"uplink"}"#).get()
                == Trigger(.packet(.wifi, .uplink, count: 20)))
        #expect(try read(#"{"request":1,"after":"100ms"}"#).get() == Trigger(.request(1), delay: .milliseconds(100)))
        for (text, reason) in [
            (#"{"event":"first.didComplete"}"#, "cannot be observed"), (#"{"packt":1}"#, "packet"),
            (#"{"time":"1s"}"#, "`time` was renamed to `sinceStart`"),
            (#"{"packet":1,"on":"wired"}"#, "wired"), (#"{"request":0}"#, "request"), ("[1", ""),
        ] {
            switch read(text) {
            case .success: Issue.record("\(text) was read")
            case .failure(let found): #expect(found.errors.contains { $0.message.contains(reason) }, "\(found)")
            }
        }
    }

    @Test func `faults from outside use the list under faults`() throws {
        func read(_ text: String) -> Result<[Fault], ScenarioErrors> {
            OriginFaultsReader.read(text, from: "faults", in: OriginPlan())
        }
        let faults = try read(#"[{"at":{"responseBody":1000},"do":"reset","for":{"first":1}}]"#).get()
        #expect(faults.count == 1 && faults.first?.point == .responseBody(1000) && faults.first?.effect == .reset)
        #expect(faults.first?.scope.first == 1)
        for wrong in [#"[{"at":"responseHaed","do":"reset"}]"#, #"[{"do":"reset"}]"#, #"{"at":"accept"}"#] {
            #expect(throws: ScenarioErrors.self) { try read(wrong).get() }
        }
    }

    @Test func `a change from outside uses the mapping under set`() throws {
        #expect(
            try ChangeReader.read(#"{"wifi":"down"}"#, from: "set", in: plan).get() == [.interfaceState(.wifi, .down)])
        #expect(throws: ScenarioErrors.self) {
            try ChangeReader.read(#"{"wifi":{"both":{"mtu":"1300"}}}"#, from: "set", in: plan).get()
        }
        #expect(throws: ScenarioErrors.self) { try ChangeReader.read("[1, 2", from: "set", in: plan).get() }
    }
}
