import Testing

@testable import Record

/// Tests that a query's line has its transport, and that older lines without it are still read.
struct DNSFactLineTests {
    @Test func `a query's line has all its fields`() throws {
        let fact = DNSFact(
            host: "api.test", type: "A", reply: "nxdomain", client: "192.0.2.2", transport: .tcp,
            server: "203.0.113.53",
            timeToLive: 60, delay: 5_000_000, failure: .nxdomain)
        let line = RecordEntry(time: 5, fact: .name(fact)).encodedLine()
        #expect(
            line
                == #"{"at":5,"client":"192.0.2.2","delay":5000000,"fact":"query","failure":"nxdomain","host":"api.test","reply":"nxdomain","server":"203.0.113.53","transport":"tcp","ttl":60,"type":"A"}"#
        )
        #expect(try RecordEntry.decode(line: line).fact == .name(fact))
    }

    @Test func `a line from an older version lacks the newer fields`() throws {
        let line = #"{"at":5,"client":"::1","fact":"query","host":"a.test","reply":"silent","type":"A"}"#
        #expect(
            try RecordEntry.decode(line: line).fact
                == .name(DNSFact(host: "a.test", type: "A", reply: "silent", client: "::1")))
    }
}
