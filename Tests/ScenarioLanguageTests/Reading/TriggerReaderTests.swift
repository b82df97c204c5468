@testable import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests of the origin's moments, and of errors for moments that could never happen.
struct TriggerReaderTests {
    private func moment(_ text: String) throws -> Trigger.Moment? {
        let scenario = try ScenarioReader.read(
            file: "x", text: Sample.good(replacing: "    as: first\n", with: "    as: first\n  - await: \(text)\n")
        ).get()
        guard case .await(let trigger) = scenario.script[1] else { return nil }
        return trigger.moment
    }

    private func diagnostic(_ text: String) -> String {
        Sample.errors(Sample.good(replacing: "    as: first\n", with: "    as: first\n  - await: \(text)\n"))
            .map { "\($0)" }.joined(separator: "\n")
    }

    @Test func `an acknowledged byte needs a response`() throws {
        #expect(try moment("{ acknowledged: 64KiB }") == .acknowledged(bytes: 65_536, request: 1))
        #expect(
            try moment("{ acknowledged: 64KiB, request: 2, after: 10ms }") == .acknowledged(bytes: 65_536, request: 2))
        #expect(try moment("{ responseSent: 64KiB, request: 2 }") == .responseSent(bytes: 65_536, request: 2))
    }

    @Test(arguments: ServerMoment.Event.allCases)
    func `each fact of the origin is a moment`(event: ServerMoment.Event) throws {
        #expect(try moment("{ server: \(event.rawValue) }") == .server(ServerMoment(event)))
        #expect(
            try moment("{ server: \(event.rawValue), connection: 2, count: 3 }")
                == .server(ServerMoment(event, connection: 2, count: 3)))
        if event.isOfRequest {
            #expect(try moment("{ server: \(event.rawValue), request: 2 }") == .server(ServerMoment(event, request: 2)))
        } else {
            #expect(
                diagnostic("{ server: \(event.rawValue), request: 2 }").contains("concerns a connection, not a request")
            )
        }
    }

    @Test func `an unknown fact is refused with the correct spelling`() {
        #expect(diagnostic("{ server: respnseEnded }").contains("responseEnded"))
        #expect(diagnostic("{ acknowledged: 64KiB, connection: 1 }").contains("connection"))
        #expect(
            diagnostic("{ server: closed, after: 30s }") == ""
                || diagnostic("{ server: closed, after: 30s }").contains("timeout"))
    }
}
