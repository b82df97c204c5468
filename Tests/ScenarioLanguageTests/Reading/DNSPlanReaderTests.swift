@testable import Record
@testable import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests of `dns:` and `resolver:`, and of the errors for meaningless values.
struct DNSPlanReaderTests {
    private func names(_ text: String) throws -> [DNSRule] {
        try ScenarioReader.read(file: "x", text: Sample.good + "\ndns:\n" + text).get().network.dns.rules
            .filter { $0.host != "api.test" || text.contains("api.test") }
    }

    private func rule(_ text: String) throws -> DNSRule {
        let rules = try names(text)
        try #require(rules.count == 1)
        return rules[0]
    }

    /// Returns the line and message of the only error.
    private func error(_ text: String) -> String {
        switch ScenarioReader.read(file: "x", text: Sample.good + "\n" + text) {
        case .success: return "no error"
        case .failure(let errors):
            return errors.errors.map { "\($0)" }.joined(separator: "\n")
        }
    }

    @Test func `the short forms are read`() throws {
        #expect(try rule("  a.test: servfail") == DNSRule(host: "a.test", content: .servfail))
        #expect(try rule("  a.test: nodata") == DNSRule(host: "a.test", content: .addresses([])))
        #expect(try rule("  a.test: [192.0.2.1]") == DNSRule(host: "a.test", content: .addresses(["192.0.2.1"])))
        #expect(try rule("  a.test: { delay: 2s }") == DNSRule(host: "a.test", content: .origin, delay: .seconds(2)))
    }

    @Test func `a reply can have a TTL, aliases, a malformation and a TCP behaviour`() throws {
        let expected = DNSReply(
            content: .addresses(["192.0.2.1"]), delay: .milliseconds(5), timeToLive: 60,
            aliases: ["www.test", "edge.test"],
            malformation: .truncated, overTCP: .reset)
        let text =
            "  a.test: { reply: [192.0.2.1], delay: 5ms, ttl: 1min, cname: [www.test, Edge.Test], malformed: truncated, tcp: reset }"
        #expect(try rule(text) == DNSRule(host: "a.test", reply: expected))
        for malformation in DNSReply.Malformation.allCases {
            #expect(try rule("  a.test: { malformed: \(malformation.rawValue) }").reply.malformation == malformation)
        }
    }

    @Test func `an exception for a type starts from the fields beside it`() throws {
        let slow = try rule("  a.test: { ttl: 9s, aaaa: { delay: 3s }, a: servfail }").reply
        #expect(slow.exceptions[.aaaa] == DNSReply(delay: .seconds(3), timeToLive: 9))
        #expect(slow.exceptions[.a] == DNSReply(content: .servfail, timeToLive: 9))
        #expect(slow.content == .origin && slow.delay == nil)
    }

    @Test func `the replies of a sequence follow each other and the last one stays`() throws {
        let rule = try rule("  a.test: { ttl: 4s, sequence: [{ reply: silent, times: 2 }, [192.0.2.9], origin] }")
        #expect(
            rule
                == DNSRule(
                    host: "a.test",
                    sequence: [
                        .init(DNSReply(content: .silent, timeToLive: 4), times: 2),
                        .init(DNSReply(content: .addresses(["192.0.2.9"]), timeToLive: 4)),
                    ], reply: DNSReply(timeToLive: 4)))
    }

    @Test func `rules for single networks follow the rule for all`() throws {
        let rules = try names(
            "  a.test: { delay: 1s, on: { cellular: nxdomain, vpn: { sequence: [silent, origin] } } }")
        #expect(
            rules == [
                DNSRule(host: "a.test", content: .origin, delay: .seconds(1)),
                DNSRule(host: "a.test", interface: .cellular, reply: DNSReply(content: .nxdomain, delay: .seconds(1))),
                DNSRule(
                    host: "a.test", interface: .vpn, sequence: [.init(DNSReply(content: .silent, delay: .seconds(1)))],
                    reply: DNSReply(delay: .seconds(1))),
            ])
    }

    @Test func `search domains and timeouts of the resolver are read`() throws {
        func resolver(_ text: String) throws -> ResolverPlan {
            try ScenarioReader.read(
                file: "x",
                text: Sample.good(replacing: "good-wifi }", with: "good-wifi, resolver: \(text) }")
            ).get().network.dns.resolver
        }
        #expect(try resolver("{ ndots: 2 }").dots == 2)
        let full = try resolver(
            "{ search: [lab.test, b.test], timeout: 2s, attempts: 3, ndots: 0, tcp: false, servers: [192.0.2.5] }")
        var expected = ResolverPlan()
        expected.search = ["lab.test", "b.test"]
        expected.timeoutSeconds = 2
        expected.attempts = 3
        expected.dots = 0
        expected.acceptsTCP = false
        expected.servers = .fixed(["192.0.2.5"])
        #expect(full == expected)
        #expect(try resolver("{ servers: none }").servers == .fixed([]))
        #expect(try resolver("{ search: lab.test }").search == ["lab.test"])
    }

    @Test(arguments: [
        ("dns: { a.test: nodota }", "nodata"), ("dns: { a.test: { ttl: 1500ms } }", "whole seconds"),
        ("dns: { a.test: { malformed: truncate } }", "truncated"),
        ("dns: { a.test: { cname: ['a b'] } }", "not a host name"),
        ("dns: { a.test: { aaaa: [1.2.3] } }", "not an IP address"),
        ("dns: { a.test: { on: { wlan: origin } } }", "wlan"),
        ("dns: { a.test: { reply: origin, sequence: [silent, origin] } }", "exclude each other"),
        ("dns: { a.test: { sequence: [silent, { reply: origin, times: 3 }] } }", "the last reply of the sequence"),
        ("dns: { a.test: { sequence: [] } }", "empty list"), ("dns: { a.test: { on: {} } }", "name an interface"),
    ])
    func `a meaningless value is refused with its position`(text: String, words: String) {
        let message = error(text)
        #expect(message.contains(words) && message.contains("x:"), "\(message)")
    }

    @Test(arguments: [
        ("{ timeout: 500ms }", "1s to 30s"), ("{ attempts: 9 }", "attempts"),
        ("{ servers: [1.2.3] }", "not an IP address"),
        ("{ search: [a.test, b.test, c.test, d.test, e.test, f.test, g.test] }", "at most 6"),
        ("{ servers: [192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4] }", "at most 3"), ("{ serch: a.test }", "search"),
    ])
    func `a resolver configuration that no system supports is refused`(resolver: String, words: String) {
        let text = Sample.good(replacing: "good-wifi }", with: "good-wifi, resolver: \(resolver) }")
        switch ScenarioReader.read(file: "x", text: text) {
        case .success: Issue.record("taken: \(resolver)")
        case .failure(let errors): #expect("\(errors)".contains(words), "\(errors)")
        }
    }
}
