import Record
import Lab
import ScenarioLanguage
import Testing

/// Tests the behaviour of glibc's resolver with the lab's name servers and `resolv.conf`; the times show its timeouts.
@Suite(.serialized, .enabled(if: DNSLab.canRun, "needs network namespaces and /usr/bin/python3"))
struct ResolverInTheLabTests {
    private func lab(_ text: String, _ body: (DNSLab, DNSLab.Session) throws -> Void) throws {
        let lab = try DNSLab(text)
        defer { lab.stop() }
        try body(lab, try lab.session())
    }

    /// Returns the result and the duration in milliseconds.
    private func split(_ line: String) -> (reply: String, time: Int) {
        guard let found = line.firstMatch(of: /(.*) in (\d+) ms/), let time = Int(found.2) else { return (line, -1) }
        return (String(found.1), time)
    }

    @Test func `a short name is found in the search domain`() throws {
        try lab(
            """
            network: { wifi: good-wifi, resolver: { search: [lab.test, far.test], timeout: 1s, attempts: 2, ndots: 1 } }
            dns: { printer.far.test: [203.0.113.10], printer: nxdomain }
            """
        ) { lab, session throws in
            #expect(
                try session.query("file")
                    == "nameserver 203.0.113.53|nameserver 2001:db8:113::53|search lab.test far.test|options timeout:1 attempts:2 ndots:1"
            )
            #expect(split(try session.query("resolve printer 4")).reply == "203.0.113.10")
            #expect(lab.queries.map(\.host) == ["printer.lab.test", "printer.far.test"])
            #expect(split(try session.query("resolve scanner any")).reply == "no name")
        }
    }

    @Test func `a query with a truncated reply is repeated over TCP`() throws {
        try lab("dns: { api.test: { malformed: truncated } }") { lab, session throws in
            #expect(split(try session.query("resolve api.test 4")).reply == "203.0.113.10")
            #expect(
                lab.queries.map { "\($0.transport?.rawValue ?? "") \($0.reply)" } == [
                    "udp 203.0.113.10, truncated", "tcp 203.0.113.10, over TCP",
                ])
        }
        try lab(
            """
            network: { wifi: good-wifi, addresses: ipv4, resolver: { tcp: false, timeout: 1s, attempts: 1 } }
            dns: { api.test: { malformed: truncated } }
            """
        ) { _, session throws in
            #expect(split(try session.query("resolve api.test 4")).reply == "again")
        }
    }

    @Test func `a slow AAAA delays a lookup of both families, and not one of A alone`() throws {
        try lab("dns: { api.test: { aaaa: { delay: 700ms } } }") { lab, session throws in
            let four = split(try session.query("resolve api.test 4"))
            #expect(four.reply == "203.0.113.10" && four.time < 600)
            let both = split(try session.query("resolve api.test any"))
            #expect(both.reply == "2001:db8:113::10 203.0.113.10" && both.time >= 699, "\(both)")
            #expect(lab.queries.last?.delay == 700_000_000)
        }
    }

    @Test func `the first replies fail and the next is correct`() throws {
        try lab(
            """
            network: { wifi: good-wifi, addresses: ipv4, resolver: { timeout: 1s, attempts: 2 } }
            dns: { api.test: { sequence: [silent, origin] } }
            """
        ) { _, session throws in
            let found = split(try session.query("resolve api.test 4"))
            #expect(found.reply == "203.0.113.10" && found.time >= 999, "\(found)")
        }
    }

    @Test func `a lookup fails at once without a name server and with an unreachable one`() throws {
        try lab("network: { wifi: good-wifi, resolver: { servers: none, timeout: 1s, attempts: 1 } }") {
            lab, session throws in
            #expect(try session.query("file") == "options timeout:1 attempts:1")
            #expect(split(try session.query("resolve api.test any")).reply == "again")
            #expect(lab.queries.isEmpty)
        }
        try lab("network: { wifi: good-wifi, resolver: { servers: [203.0.113.250], timeout: 1s, attempts: 1 } }") {
            lab, session throws in
            #expect(split(try session.query("resolve api.test any")).reply == "again")
            #expect(lab.queries.isEmpty)
        }
    }

    @Test(arguments: ["wrongIdentifier", "wrongQuestion", "garbage", "wrongCount", "wrongSource"])
    func `a wrong message is not accepted as the reply`(flaw: String) throws {
        try lab(
            """
            network: { wifi: good-wifi, addresses: ipv4, resolver: { timeout: 1s, attempts: 1 } }
            dns: { api.test: { malformed: \(flaw) } }
            """
        ) { lab, session throws in
            let found = split(try session.query("resolve api.test 4"))
            #expect(!found.reply.contains("203.0.113.10"), "\(found)")
            #expect(!lab.queries.isEmpty)
        }
    }

    @Test func `the name server changes with the interface, in the program's resolver file`() throws {
        try lab(
            """
            network: { wifi: good-wifi, cellular: { profile: good-wifi, state: down }, addresses: ipv4 }
            dns: { api.test: { reply: origin, on: { wifi: [192.0.2.77], cellular: [192.0.2.88] } } }
            """
        ) { lab, session throws in
            #expect(split(try session.query("resolve api.test 4")).reply == "192.0.2.77")
            #expect(try session.follow(lab.lab.nameServerAddresses) == nil)
            try lab.change(.interfaceState(.wifi, .down))
            try lab.change(.interfaceState(.cellular, .up))
            #expect(try session.follow(lab.lab.nameServerAddresses) == "name servers 203.0.113.54")
            #expect(try session.query("file") == "nameserver 203.0.113.54")
            #expect(split(try session.query("resolve api.test 4")).reply == "192.0.2.88")
            #expect(lab.queries.compactMap(\.server) == ["203.0.113.53", "203.0.113.54"])
            // A shorter file contains no remains of the longer one.
            #expect(try session.follow([]) == "no name server")
            #expect(try session.query("file") == "")
        }
    }
}
