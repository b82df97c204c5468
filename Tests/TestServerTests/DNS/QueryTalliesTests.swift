import Record
import Testing

@testable import TestServer

/// The turn of a query: one repeated over TCP after a truncated reply is the same question, any other is a new one.
struct QueryTalliesTests {
    private let key = QueryTallies.Key(rule: "a.test", host: "a.test", type: 1)

    @Test func `each query takes one turn, separately for each name and type`() {
        var tallies = QueryTallies()
        #expect((0..<3).map { _ in tallies.turn(key, over: .udp) } == [0, 1, 2])
        var other = key
        other.type = 28
        #expect(tallies.turn(other, over: .udp) == 0)
        other = key
        other.interface = .wifi
        #expect(tallies.turn(other, over: .udp) == 0)
        #expect(tallies.turn(key, over: .udp) == 3)
    }

    @Test func `TCP after a truncated reply continues that turn once`() {
        var tallies = QueryTallies()
        #expect(tallies.turn(key, over: .udp) == 0)
        tallies.note(key, wasTruncated: true)
        #expect(tallies.turn(key, over: .tcp) == 0)
        #expect(tallies.turn(key, over: .tcp) == 1)
        #expect(tallies.turn(key, over: .udp) == 2)
        tallies.note(key, wasTruncated: false)
        #expect(tallies.turn(key, over: .tcp) == 3)
    }

    @Test func `a rule that is set again starts from its first turn`() {
        var tallies = QueryTallies()
        _ = tallies.turn(key, over: .udp)
        tallies.forget("b.test")
        #expect(tallies.turn(key, over: .udp) == 1)
        tallies.forget("a.test")
        #expect(tallies.turn(key, over: .udp) == 0)
    }
}
