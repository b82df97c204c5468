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
}
