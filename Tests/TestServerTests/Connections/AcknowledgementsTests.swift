import Record
import Testing

@testable import TestServer

/// The order in which bytes were written to the socket decides; a position is reported once, and a response's last
/// position covers the earlier ones.
struct AcknowledgementsTests {
    private func told(_ acknowledgements: inout Acknowledgements, _ count: Int64) -> [String] {
        acknowledgements.acknowledge(count).map { "\($0.request):\($0.bytes)" }
    }

    @Test func `a position is reported once, when the connection is acknowledged up to it`() {
        var places = Acknowledgements()
        #expect(places.isEmpty)
        places.expect(request: 1, bytes: 100, by: 350)
        places.expect(request: 1, bytes: 200, by: 450)
        #expect(told(&places, 349) == [])
        #expect(told(&places, 350) == ["1:100"])
        #expect(told(&places, 449) == [])
        #expect(places.breakpoints == [OriginState.Breakpoint(request: 1, bytes: 200)])
        #expect(told(&places, 9_000) == ["1:200"])
        #expect(places.isEmpty && told(&places, 9_000) == [])
    }

    @Test func `each of several interleaved responses is reported with its last position`() {
        var places = Acknowledgements()
        places.expect(request: 1, bytes: 10, by: 100)
        places.expect(request: 2, bytes: 20, by: 200)
        places.expect(request: 1, bytes: 30, by: 300)
        places.expect(request: 2, bytes: 40, by: 400)
        #expect(told(&places, 300) == ["1:30", "2:20"])
        #expect(told(&places, 400) == ["2:40"])
    }
}
