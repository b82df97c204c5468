import Testing

@testable import AdapterProtocol

/// Scenarios name error codes by word; a word that does not map back to its code would make a check judge the wrong
/// error.
@Suite struct FailureTests {
    @Test func `every code is found by its name`() {
        for code in FailureCode.allCases { #expect(FailureCode(name: code.name) == code) }
        #expect(FailureCode(name: "networkConnectionLost")?.rawValue == -1005)
        #expect(FailureCode(name: "nosuch") == nil)
    }

    @Test func `only codes of the URL error domain have a name`() {
        #expect(Failure(domain: "NSURLErrorDomain", code: -1001, text: "").summary == "timedOut (-1001)")
        #expect(Failure(domain: "NSCocoaErrorDomain", code: -1001, text: "").summary == "NSCocoaErrorDomain -1001")
        #expect(Failure(domain: "NSURLErrorDomain", code: 7, text: "").named == nil)
    }

    @Test func `a reported class comes before the class of the code`() {
        let domain = Failure.urlErrorDomain
        #expect(Failure(domain: domain, code: -1005, text: "").class == .lost)
        #expect(Failure(domain: domain, code: -1005, text: "", class: .truncated).class == .truncated)
        #expect(Failure(domain: "curl", code: 18, text: "").class == nil)
        #expect(Failure(class: .offline, text: "").class == .offline)
    }

    @Test func `the summary of a failure shows a class that its code does not`() {
        let domain = Failure.urlErrorDomain
        #expect(Failure(class: .offline, text: "").summary == "class offline")
        #expect(Failure(domain: domain, code: -1005, text: "", class: .lost).summary == "networkConnectionLost (-1005)")
        #expect(Failure(domain: "curl", code: 18, text: "", class: .truncated).summary == "curl 18, class truncated")
    }

    /// A class without a code could never be expected by a scenario; truncated is the one that no URL error has.
    @Test func `every class but truncated is the class of a code`() {
        #expect(Set(FailureClass.allCases).subtracting(FailureCode.allCases.map(\.class)) == [.truncated])
    }

    @Test func `a list of reported events needs the completion and known names`() {
        #expect(ReportedEvents(["didComplete", "didReceiveData", "didBecomeInvalid"]).problem == nil)
        #expect(ReportedEvents(["didReceiveData"]).problem?.contains("lacks `didComplete`") == true)
        #expect(ReportedEvents(["didComplete", "didTeleport"]).problem?.contains("`didTeleport`") == true)
        let reported: ReportedEvents = ["didComplete"]
        #expect(reported.contains(.completionHandler))
        #expect(!reported.contains(.didReceiveData))
    }
}
