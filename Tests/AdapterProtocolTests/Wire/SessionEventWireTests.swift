import Testing

@testable import AdapterProtocol

/// Golden lines hold every field of every event; equality both ways shows that nothing is lost, renamed or rounded.
@Suite struct SessionEventWireTests {
    @Test(arguments: TaskEventName.allCases)
    func `a task event is encoded as its golden line and decoded from it`(_ name: TaskEventName) throws {
        let events = try #require(Examples.taskEvents[name], "no example of \(name)")
        for event in events { #expect(event.name == name) }
        try check("event-\(name.rawValue)", events.map { .task("first", $0) })
    }

    @Test(arguments: Examples.sessionEvents.keys.sorted())
    func `an event without a task is encoded as its golden line and decoded from it`(_ name: String) throws {
        try check("event-\(name)", Examples.sessionEvents[name] ?? [])
    }

    private func check(_ file: String, _ kinds: [SessionEvent.Kind]) throws {
        let lines = try Golden.lines(file)
        #expect(lines.count == kinds.count)
        for (index, (line, kind)) in zip(lines, kinds).enumerated() {
            let event = SessionEvent(sequence: UInt64(index + 1), time: Examples.large + Int64(index), kind: kind)
            #expect(Golden.text(event.encodedLine()) == line)
            #expect(try SessionEvent.decode(line: Array(line.utf8)) == event)
            #expect(try SessionEvent.decode(event.wireValue) == event)
        }
    }

    @Test func `an unknown event is kept whole and is not an error`() throws {
        let line = #"{"v":2,"seq":4,"time":9,"event":"didTeleport","where":[1,2]}"#
        let event = try SessionEvent.decode(line: Array(line.utf8))
        #expect(event == SessionEvent(sequence: 4, time: 9, kind: .unknown(name: "didTeleport", line: line)))
        #expect(try SessionEvent.decode(event.wireValue) == event)
    }

    @Test func `unknown fields are ignored`() throws {
        let line = #"{"v":2,"seq":4,"time":9,"event":"didCreateTask","task":"a","colour":"red","deep":{"x":[null]}}"#
        #expect(
            try SessionEvent.decode(line: Array(line.utf8))
                == SessionEvent(sequence: 4, time: 9, kind: .task("a", .didCreateTask)))
    }

    @Test func `null is the same as absent`() throws {
        let line = #"{"v":2,"seq":1,"time":2,"event":"didComplete","task":"a","error":null,"resumeDataLength":null}"#
        #expect(
            try SessionEvent.decode(line: Array(line.utf8)).kind == .task("a", .didComplete(nil, resumeDataLength: nil))
        )
    }

    @Test func `a hello reply with a string instead of true is refused`() {
        let line =
            #"{"v":2,"seq":1,"time":2,"event":"hello","implementation":{"name":"a","version":"b","language":"c"},"#
            + #""capabilities":{"download":"yes"}}"#
        #expect(throws: WireError.wrongType("download", in: "hello.capabilities", expected: "true or false")) {
            try SessionEvent.decode(line: Array(line.utf8))
        }
    }

    @Test func `a length that contradicts its bytes is refused`() {
        let line = #"{"v":2,"seq":1,"time":2,"event":"didReceiveData","task":"a","length":6,"base64":"aGVsbG8="}"#
        #expect(
            throws: WireError.wrongType("length", in: "didReceiveData", expected: "number of the bytes in 'base64' (5)")
        ) {
            try SessionEvent.decode(line: Array(line.utf8))
        }
    }

    @Test func `an error needs a class or a code with its domain`() throws {
        func failure(_ error: String) throws -> SessionEvent.Kind {
            let line = #"{"v":2,"seq":1,"time":2,"event":"didComplete","task":"a","error":"# + error + "}"
            return try SessionEvent.decode(line: Array(line.utf8)).kind
        }
        #expect(
            try failure(#"{"class":"lost"}"#)
                == .task("a", .didComplete(Failure(class: .lost, text: ""), resumeDataLength: nil)))
        #expect(throws: WireError.self) { try failure(#"{"text":"oops"}"#) }
        #expect(throws: WireError.self) { try failure(#"{"class":"lost","code":5}"#) }
        #expect(throws: WireError.self) { try failure(#"{"class":"missing"}"#) }
    }
}
