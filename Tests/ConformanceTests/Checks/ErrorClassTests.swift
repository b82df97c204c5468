import AdapterProtocol
import LinkEmulator
import Testing

@testable import Conformance
@testable import Record
@testable import ScenarioLanguage

/// URLSession's codes are compared as they are; of other clients only the class of the error is asked. An `offline`
/// error may be a failed attempt, but one that waits or reaches a server is not the same behaviour.
@Suite struct ErrorClassTests {
    private static func run(
        _ failure: Failure?, wifi: InterfaceState = .up, requests: Bool = false, responds: Bool = false,
        after milliseconds: Int64 = 0
    ) -> Run {
        var run = Run(wifi: wifi)
        run.start("first")
        if requests || responds { run.request(1, "/hello") }
        if responds { run.answer(1, bytes: 2, ends: false) }
        run.wait(milliseconds: milliseconds)
        run.report("first", .didComplete(failure, resumeDataLength: nil))
        run.end()
        return run
    }

    private static func found(_ run: Run, _ error: String, _ profile: ClientProfile = .httpClient) throws -> [Mismatch]
    {
        let scenario = try run.scenario(["completes: { task: first, error: \(error) }"])
        let check = try #require(scenario.expectations.first?.check as? any Check)
        return check.judge(RecordView(scenario: scenario, entries: run.entries, profile: profile))
    }

    private static func code(_ code: FailureCode) -> Failure {
        Failure(domain: Failure.urlErrorDomain, code: code.rawValue, text: "")
    }

    @Test(arguments: FailureCode.allCases)
    func `the class of each code is enough`(_ code: FailureCode) throws {
        #expect(try Self.found(Self.run(Failure(class: code.class, text: "")), code.name).isEmpty)
        for other in FailureClass.allCases where other != code.class {
            let isClose = code.class == .offline && [.nameResolution, .refused].contains(other)
            #expect(try Self.found(Self.run(Failure(class: other, text: "")), code.name).isEmpty == isClose, "\(other)")
        }
    }

    @Test func `codes of one class stand for each other only where classes are compared`() throws {
        let run = Self.run(Self.code(.dnsLookupFailed))
        #expect(try Self.found(run, "cannotFindHost").isEmpty)
        #expect(try Self.found(run, "cannotFindHost", .urlsession).count == 1)
        #expect(try Self.found(run, "dnsLookupFailed", .urlsession).isEmpty)
    }

    @Test func `a class alone does not satisfy the profile of URLSession, which the text explains`() throws {
        let found = try Self.found(Self.run(Failure(class: .lost, text: "")), "networkConnectionLost", .urlsession)
        #expect(
            found.map(\.found)
                == ["class lost; the client reports no code, and the profile urlsession compares codes"])
        #expect(try Self.found(Self.run(Failure(class: .lost, text: "")), "any", .urlsession).isEmpty)
        #expect(try Self.found(Self.run(Failure(class: .lost, text: "")), "none", .urlsession).count == 1)
    }

    @Test func `an error without a class counts as other`() throws {
        let run = Self.run(Failure(domain: "curl", code: 18, text: ""))
        #expect(try Self.found(run, "httpTooManyRedirects").isEmpty)
        let found = try Self.found(run, "networkConnectionLost")
        #expect(found.map(\.expected) == ["first ends with error networkConnectionLost (class lost)"])
        #expect(
            found.map(\.found)
                == ["curl 18; the client reports neither a class nor a URL error, which counts as other"])
    }

    @Test func `truncated stands for lost after a response has begun`() throws {
        let failure = Failure(class: .truncated, text: "")
        #expect(try Self.found(Self.run(failure, responds: true), "networkConnectionLost").isEmpty)
        #expect(try Self.found(Self.run(failure, requests: true), "networkConnectionLost").count == 1)
        #expect(try Self.found(Self.run(failure, responds: true), "timedOut").count == 1)
    }

    @Test func `a failed attempt stands for offline if it is at once and reaches no server`() throws {
        for kind in [FailureClass.nameResolution, .refused] {
            let failure = Failure(class: kind, text: "")
            let offline = "notConnectedToInternet"
            #expect(try Self.found(Self.run(failure, wifi: .down, after: 900), offline).isEmpty)
            #expect(try Self.found(Self.run(failure, wifi: .down, after: 1_100), offline).count == 1)
            #expect(try Self.found(Self.run(failure, wifi: .down, requests: true), offline).count == 1)
        }
        let lost = Failure(class: .lost, text: "")
        #expect(try Self.found(Self.run(lost, wifi: .down), "notConnectedToInternet").count == 1)
    }
}
