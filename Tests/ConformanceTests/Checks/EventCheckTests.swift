@testable import Record
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests of the checks about events and their order. Each check holds and fails on records that differ only in its
/// subject, so that none of them can be one that always holds.
@Suite struct EventCheckTests {
    @Test(arguments: [
        "order: [first.didReceiveResponse, first.didReceiveData, first.didComplete]",
        "order: [first.didReceiveData, first.didReceiveData, first.didComplete]",
        "sequence: { task: first, events: [didReceiveResponse, didReceiveData, didComplete] }",
        "sequence: { task: first, events: [didReceiveResponse, didReceiveData, didFinishCollectingMetrics, didComplete] }",
        "never: first.taskIsWaitingForConnectivity",
        "never: { event: first.didReceiveData, after: first.didComplete }",
        "never: { event: first.didComplete, before: first.didReceiveData }",
        "never: { event: first.didReceiveData, after: first.taskIsWaitingForConnectivity }",
        "count: { event: first.didReceiveData, equals: 2 }",
        "count: { event: first.didReceiveData, atLeast: 1, atMost: 3 }",
        "count: { event: first.didResumeAtOffset, equals: 0 }",
        "before: { first: [first.didReceiveResponse, first.didReceiveData], then: first.didComplete }",
        "completes: { task: first }",
        "completes: { task: first, error: none }",
        "completes: { task: first, error: [timedOut, none], resumeData: absent }",
        "timing: { from: start, to: first.didComplete, atMost: 1s }",
        // Of several data callbacks the first one counts.
        "timing: { from: first.didReceiveResponse, to: first.didReceiveData, atMost: 1ms }",
        "timing: { from: first.didReceiveResponse, to: first.didComplete, atLeast: 4ms, atMost: 4ms }",
        "timing: { from: start, to: first.didComplete, atMost: { roundTrips: 3, bytes: 64KiB, plus: 1s } }",
    ])
    func `a correct run holds`(check: String) throws {
        #expect(try Run.plain().found(check) == nil)
    }

    @Test(arguments: [
        (
            "order: [first.didReceiveData, first.didReceiveResponse]",
            "first.didReceiveResponse 1.0 ms before first.didReceiveData"
        ),
        (
            "order: [first.didReceiveData, first.didReceiveData, first.didReceiveData]",
            "first.didReceiveData only 2 times"
        ),
        ("order: [first.taskIsWaitingForConnectivity, first.didComplete]", "no first.taskIsWaitingForConnectivity"),
        (
            "sequence: { task: first, events: [didReceiveResponse, didComplete] }",
            "first: didReceiveResponse, didReceiveData, didComplete"
        ),
        (
            "sequence: { task: first, events: [didReceiveResponse, didReceiveData, didComplete, didFinishCollectingMetrics] }",
            "first: didReceiveResponse, didReceiveData, didFinishCollectingMetrics, didComplete"
        ),
        ("never: first.didReceiveData", "first.didReceiveData, 2 times"),
        ("never: { event: first.didReceiveData, after: first.didReceiveResponse }", "first.didReceiveData, 2 times"),
        ("never: { event: first.didReceiveData, before: first.didComplete }", "first.didReceiveData, 2 times"),
        (
            "never: { event: first.didReceiveData, after: first.didReceiveData, before: first.didComplete }",
            "first.didReceiveData, 1 time"
        ),
        ("count: { event: first.didReceiveData, equals: 1 }", "2"),
        ("count: { event: first.didReceiveData, atLeast: 3 }", "2"),
        ("count: { event: first.didReceiveData, atMost: 1 }", "2"),
        (
            "before: { first: first.didReceiveData, then: [first.didReceiveResponse] }",
            "first.didReceiveResponse before first.didReceiveData"
        ),
        ("before: { first: first.didReceiveResponse, then: first.didBecomeDownload }", "no first.didBecomeDownload"),
        ("completes: { task: first, error: timedOut }", "no error"),
        ("completes: { task: first, error: any }", "no error"),
        ("completes: { task: first, error: none, resumeData: present }", "no error, without resume data"),
        ("completes: { task: first, domain: own, code: 3 }", "no error"),
        ("timing: { from: start, to: first.didComplete, atLeast: 1s }", "14.0 ms"),
        ("timing: { from: first.didReceiveResponse, to: first.didComplete, atMost: 3ms }", "4.0 ms"),
        ("timing: { from: start, to: first.didComplete, atMost: { roundTrips: 0, plus: 13ms } }", "14.0 ms"),
        ("timing: { from: first.didComplete, to: first.didReceiveResponse, atMost: 3ms }", "4.0 ms before it"),
        ("timing: { from: first.didBecomeDownload, to: first.didComplete, atMost: 3ms }", "no first.didBecomeDownload"),
    ])
    func `a wrong run is found`(check: String, found: String) throws {
        #expect(try Run.plain().found(check) == found)
    }

    @Test func `an incomplete sequence is found`() throws {
        var run = Run()
        run.start("first")
        #expect(try run.found("sequence: { task: first, events: [didComplete] }") == "no event of first")
        run.response("first", url: "http://api.test/hello")
        let check = "sequence: { task: first, events: [didReceiveResponse, didComplete] }"
        #expect(try run.found(check) == "first: didReceiveResponse")
        run.complete("first")
        #expect(try run.found(check) == nil)
        run.complete("first")
        #expect(try run.found(check) == "first: didReceiveResponse, didComplete, didComplete")
    }

    @Test func `both events are the evidence of a wrong order`() throws {
        var run = Run()
        run.start("first")
        let data = run.report("first", .didReceiveData([1]))
        run.response("first", url: "http://api.test/hello")
        let mismatch = try #require(try run.judge("order: [first.didReceiveResponse, first.didReceiveData]").first)
        #expect(mismatch.evidence == [data, data + 1])
        #expect(mismatch.check == "order")
    }

    @Test func `every kind of completion is distinguished`() throws {
        var run = Run()
        run.start("first")
        #expect(try run.found("completes: { task: first }") == "no completion of first")
        run.complete("first", .networkConnectionLost, resumeData: 812)
        for check in [
            "error: networkConnectionLost", "error: [timedOut, networkConnectionLost]", "error: any",
            "resumeData: present",
            "domain: NSURLErrorDomain", "domain: NSURLErrorDomain, code: -1005",
        ] {
            #expect(try run.found("completes: { task: first, \(check) }") == nil, "\(check)")
        }
        for check in [
            "error: none", "error: [timedOut, none]", "resumeData: absent", "domain: other",
            "domain: NSURLErrorDomain, code: -1001",
        ] {
            let found = try run.found("completes: { task: first, \(check) }")
            #expect(found?.hasPrefix("networkConnectionLost (-1005)") == true, "\(check)")
        }
        #expect(
            try run.found("completes: { task: first, error: networkConnectionLost, resumeData: absent }")
                == "networkConnectionLost (-1005), with 812 bytes of resume data")
    }

    /// Empty resume data count as none: a transfer cannot be resumed from them.
    @Test func `empty resume data are absent`() throws {
        var run = Run()
        run.start("first")
        run.complete("first", .timedOut, resumeData: 0)
        #expect(try run.found("completes: { task: first, resumeData: absent }") == nil)
        #expect(try run.found("completes: { task: first, resumeData: present }") != nil)
    }

    @Test func `a completion handler counts as completion`() throws {
        var run = Run(Run.hello + "\n    completionHandler: true")
        run.start("first")
        run.report(
            "first", .completionHandler(nil, Failure(domain: "own", code: 3, text: "text"), resumeDataLength: nil))
        #expect(try run.found("completes: { task: first, domain: own, code: 3 }") == nil)
        #expect(try run.found("completes: { task: first, error: none }") == "own 3 (text)")
    }

    @Test func `a session reports exactly once that it is invalid`() throws {
        var run = Run()
        let check = "invalidated: { session: main, error: none }"
        #expect(try run.found(check) == "0 times")
        run.say(.didBecomeInvalid("main", error: nil))
        #expect(try run.found(check) == nil)
        #expect(try run.found("invalidated: { session: main, error: cancelled }") == "no error")
        run.say(.didBecomeInvalid("main", error: nil))
        #expect(try run.found(check) == "2 times")
    }

    @Test(arguments: [
        "order: [first.didComplete]", "before: { first: first.didComplete, then: first.didComplete }",
        "count: { event: first.didComplete }",
        "count: { event: first.didComplete, equals: 1, atMost: 2 }",
        "count: { event: first.didComplete, atLeast: 3, atMost: 2 }",
        "timing: { from: start, to: first.didComplete }",
        "timing: { from: start, to: first.didComplete, atLeast: 2s, atMost: 1s }",
        "completes: { task: first, code: 3 }", "completes: { task: first, error: none, domain: x }",
        "order: [first.didCompleet, first.didComplete]",
        "response: { task: first }", "body: { task: first }", "body: { task: first, equals: /hello, text: x }",
        "body: { task: first, text: x, version: 2 }",
        "body: { task: first, equals: hello }", "request: { number: 2, sameConnectionAs: 2 }",
        "request: { number: 2, rangeStart: 5..1 }",
        "request: { number: 2, rangeStart: some }", "challenge: { task: first }", "redirect: { task: first }",
        "progress: { task: first, kind: download }",
        "progress: { task: first, kind: upload, monotonic: false }", "inspected: { task: first }",
        "link: { interface: wifi, direction: up }",
        "request: { number: 1, headers: { 'a b': present } }",
    ])
    func `an empty or contradictory check is refused`(check: String) {
        #expect(throws: ScenarioErrors.self) { try Run().scenario([check]) }
    }
}
