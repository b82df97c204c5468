import Testing

@testable import Scenario

/// A query's line says how it was asked, and lines from before that was kept are still read.
struct DNSFactLineTests {
    @Test func `what is known of a query is in its line`() throws {
        let fact = DNSFact(
            host: "api.test", type: "A", reply: "192.0.2.1", client: "192.0.2.2", transport: .tcp,
            server: "203.0.113.53",
            timeToLive: 60, delay: 5_000_000)
        let line = RecordEntry(time: 5, fact: .name(fact)).encodedLine()
        #expect(
            line
                == #"{"at":5,"client":"192.0.2.2","delay":5000000,"fact":"query","host":"api.test","reply":"192.0.2.1","server":"203.0.113.53","transport":"tcp","ttl":60,"type":"A"}"#
        )
        #expect(try RecordEntry.decode(line: line).fact == .name(fact))
    }

    @Test func `a line of an earlier program lacks it`() throws {
        let line = #"{"at":5,"client":"::1","fact":"query","host":"a.test","reply":"silent","type":"A"}"#
        #expect(
            try RecordEntry.decode(line: line).fact
                == .name(DNSFact(host: "a.test", type: "A", reply: "silent", client: "::1")))
    }
}
