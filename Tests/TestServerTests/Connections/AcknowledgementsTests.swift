import Testing

@testable import TestServer

/// The order in which bytes went to the socket decides; a place is told once, and a response's furthest place stands for those before.
struct AcknowledgementsTests {
    private func told(_ acknowledgements: inout Acknowledgements, _ count: Int64) -> [String] {
        acknowledgements.acknowledge(count).map { "\($0.request):\($0.bytes)" }
    }

    @Test func `a place is told when the connection is acknowledged that far, and once`() {
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

    @Test func `interleaved responses are told each with its furthest place`() {
        var places = Acknowledgements()
        places.expect(request: 1, bytes: 10, by: 100)
        places.expect(request: 2, bytes: 20, by: 200)
        places.expect(request: 1, bytes: 30, by: 300)
        places.expect(request: 2, bytes: 40, by: 400)
        #expect(told(&places, 300) == ["1:30", "2:20"])
        #expect(told(&places, 400) == ["2:40"])
    }
}
