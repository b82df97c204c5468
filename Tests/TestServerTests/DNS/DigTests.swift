import Glibc
import NIOCore
import NIOPosix
import Record
import ScenarioLanguage
import Synchronization
import Testing

@testable import TestServer

/// Every behaviour of the name service, as an independent resolver client observes it. The proof is the output of dig:
/// it parses strictly, retries over TCP by itself, and reports the errors it found.
extension LoopbackTests {
    @Suite(.serialized, .enabled(if: !Command.isMissing("dig"), "dig is missing: apt-get install bind9-dnsutils"))
    struct DigTests {
        private final class Facts: Sendable {
            private let facts = Mutex<[DNSFact]>([])
            var all: [DNSFact] { facts.withLock { $0 } }
            func add(_ fact: DNSFact) { facts.withLock { $0.append(fact) } }
        }
        private let facts = Facts()

        /// UDP and TCP on one port, as clients expect, and a second UDP socket for replies from another address.
        private func serving<Result>(
            _ rules: [DNSRule], tcp: Bool = true, nat64: NAT64Plan? = nil, wifi: Bool = false,
            _ body: (_ dig: @Sendable (String) async throws -> String) async throws -> Result
        ) async throws -> Result {
            let (udp, both) = try BoundSocket.pair(family: AF_INET)
            let port = try #require(udp.address.port)
            let other = try BoundSocket.loopback(SOCK_DGRAM, family: AF_INET)
            if !tcp { close(both.descriptor) }
            let stream = tcp ? [both.descriptor] : []
            var plan = DNSPlan()
            plan.rules = rules
            let service = try DNSService(
                plan: plan, families: .both, nat64: nat64, hosts: ["api.test"], origin4: "203.0.113.10",
                origin6: "2001:db8:113::10",
                servers: wifi ? ["127.0.0.1": .wifi] : [:])
            let server = try await DNSServer.start(
                service, udp: [udp.descriptor, other.descriptor], tcp: stream,
                on: .singletonMultiThreadedEventLoopGroup,
                record: facts.add)
            let outcome: Swift.Result<Result, any Error>
            do {
                outcome = .success(
                    try await body { words in
                        try await Command.run(
                            ["dig", "@127.0.0.1", "-p", "\(port)", "+tries=1", "+time=1", "+nocookie"]
                                + words.split(separator: " ").map(String.init)
                        ).output
                    })
            } catch {
                outcome = .failure(error)
            }
            await server.stop()
            return try outcome.get()
        }

        private func rule(_ reply: DNSReply) -> [DNSRule] { [DNSRule(host: "api.test", reply: reply)] }

        @Test(arguments: [
            (DNSReply.Content.nxdomain, "NXDOMAIN"), (.servfail, "SERVFAIL"), (.refused, "REFUSED"),
            (.addresses([]), "NOERROR"),
        ])
        func `a failure has its status`(answer: DNSReply.Content, status: String) async throws {
            try await serving(rule(DNSReply(content: answer))) { dig async throws in
                let text = try await dig("api.test A")
                #expect(text.contains("status: \(status)") && text.contains("ANSWER: 0"), "\(text)")
                // RFC 2308 §2: both kinds of negative reply carry an SOA; failures of the server do not.
                #expect(text.contains("\tSOA\t") == (status == "NXDOMAIN" || status == "NOERROR"), "\(text)")
            }
        }

        @Test func `silence is a time-out`() async throws {
            try await serving(rule(DNSReply(content: .silent))) { dig async throws in
                let text = try await dig("api.test A")
                #expect(text.contains("timed out"), "\(text)")
                #expect(try await dig("api.test A +tcp").contains("timed out"))
            }
        }

        @Test func `a short delay is measurable and a long one is a time-out`() async throws {
            let rules = [
                DNSRule(host: "api.test", content: .origin, delay: .milliseconds(300)),
                DNSRule(host: "never.test", content: .origin, delay: .seconds(30)),
            ]
            try await serving(rules) { dig async throws in
                let text = try await dig("api.test A")
                let time = text.firstMatch(of: /Query time: (\d+) msec/).flatMap { Int($0.1) }
                #expect((299...900).contains(time ?? 0), "\(text)")
                #expect(try await dig("never.test A").contains("timed out"))
            }
        }

        @Test func `a single type can be slow or fail`() async throws {
            let rules = [
                DNSRule(host: "slow6.test", reply: DNSReply(exceptions: [.aaaa: DNSReply(delay: .milliseconds(300))])),
                DNSRule(host: "bad6.test", reply: DNSReply(exceptions: [.aaaa: DNSReply(content: .servfail)])),
                DNSRule(host: "only4.test", reply: DNSReply(exceptions: [.aaaa: DNSReply(content: .addresses([]))])),
                DNSRule(host: "only6.test", reply: DNSReply(exceptions: [.a: DNSReply(content: .addresses([]))])),
            ]
            try await serving(rules) { dig async throws in
                func time(_ text: String) -> Int {
                    text.firstMatch(of: /Query time: (\d+) msec/).flatMap { Int($0.1) } ?? -1
                }
                let fast = try await dig("slow6.test A")
                let slow = try await dig("slow6.test AAAA")
                #expect(time(fast) < 299 && time(slow) >= 299, "\(fast) \(slow)")
                #expect(try await dig("bad6.test A").contains("203.0.113.10"))
                #expect(try await dig("bad6.test AAAA").contains("status: SERVFAIL"))
                for (name, has, lacks) in [("only4.test", "A", "AAAA"), ("only6.test", "AAAA", "A")] {
                    #expect(try await dig("\(name) \(has)").contains("ANSWER: 1"))
                    let empty = try await dig("\(name) \(lacks)")
                    #expect(
                        empty.contains("status: NOERROR") && empty.contains("ANSWER: 0") && empty.contains("\tSOA\t"),
                        "\(empty)")
                }
            }
        }

        @Test func `a truncated reply is fetched over TCP, and counts as one query`() async throws {
            let rules = [
                DNSRule(
                    host: "api.test",
                    sequence: [.init(DNSReply(content: .addresses(["192.0.2.1"]), malformation: .truncated))],
                    reply: DNSReply(content: .addresses(["192.0.2.2"])))
            ]
            try await serving(rules) { dig async throws in
                let text = try await dig("api.test A")
                #expect(text.contains("Truncated, retrying in TCP mode") && text.contains("192.0.2.1"), "\(text)")
                #expect(try await dig("api.test A").contains("192.0.2.2"))
            }
            let seen = facts.all.prefix(2).map { [$0.transport?.rawValue ?? "", $0.reply] }
            #expect(seen == [["udp", "192.0.2.1, truncated"], ["tcp", "192.0.2.1, over TCP"]])
        }

        @Test func `the TC bit is seen when TCP is not tried`() async throws {
            try await serving(rule(DNSReply(malformation: .truncated))) { dig async throws in
                let text = try await dig("api.test A +ignore")
                #expect(text.contains("flags: qr tc") && text.contains("ANSWER: 0"), "\(text)")
            }
        }

        @Test(arguments: [
            (DNSReply.TCPReply.silent, "timed out"), (.reset, "connection reset|end of file|communications error"),
        ])
        func `TCP after truncation can fail`(stream: DNSReply.TCPReply, words: String) async throws {
            try await serving(rule(DNSReply(malformation: .truncated, overTCP: stream))) { dig async throws in
                let text = try await dig("api.test A")
                #expect(words.split(separator: "|").contains { text.contains($0) }, "\(text)")
                #expect(!text.contains("203.0.113.10"))
            }
        }

        @Test func `a server without TCP refuses the connection`() async throws {
            try await serving(rule(DNSReply(malformation: .truncated)), tcp: false) { dig async throws in
                #expect(try await dig("api.test A").contains("connection refused"))
            }
        }

        @Test func `replies come in sequence, separately for each type`() async throws {
            let rules = [
                DNSRule(
                    host: "api.test",
                    sequence: [
                        .init(DNSReply(content: .servfail), times: 2),
                        .init(DNSReply(content: .addresses(["192.0.2.99"]))),
                    ],
                    reply: DNSReply())
            ]
            try await serving(rules) { dig async throws in
                #expect(try await dig("api.test A").contains("SERVFAIL"))
                #expect(try await dig("api.test AAAA").contains("SERVFAIL"))
                #expect(try await dig("api.test A").contains("SERVFAIL"))
                // Stale first, correct from then on.
                #expect(try await dig("api.test A +short") == "192.0.2.99\n")
                for _ in 0..<2 { #expect(try await dig("api.test A +short") == "203.0.113.10\n") }
                #expect(try await dig("api.test AAAA").contains("SERVFAIL"))
            }
        }

        @Test func `the TTL is that of the plan, for negative replies too`() async throws {
            let rules = [
                DNSRule(host: "api.test", reply: DNSReply(timeToLive: 77)),
                DNSRule(host: "gone.test", reply: DNSReply(content: .nxdomain, timeToLive: 78)),
            ]
            try await serving(rules) { dig async throws in
                #expect(try await dig("api.test A +noall +answer").contains("\t77\tIN\tA\t"))
                let gone = try await dig("gone.test A +noall +authority")
                // RFC 2308 §5: the lesser of the SOA's TTL and its minimum counts.
                #expect(gone.contains("\t78\tIN\tSOA\t") && gone.hasSuffix(" 78\n"), "\(gone)")
            }
            #expect(facts.all.map(\.timeToLive) == [77, 78])
        }

        @Test func `aliases lead to the address or form a loop`() async throws {
            let rules = [
                DNSRule(host: "api.test", reply: DNSReply(aliases: ["www.test", "edge.test"])),
                DNSRule(host: "loop.test", reply: DNSReply(aliases: ["www.test", "loop.test"])),
                DNSRule(host: "dead.test", reply: DNSReply(content: .nxdomain, aliases: ["www.test"])),
            ]
            try await serving(rules) { dig async throws in
                #expect(try await dig("api.test A +short") == "www.test.\nedge.test.\n203.0.113.10\n")
                #expect(try await dig("api.test CNAME +short") == "www.test.\n")
                let loop = try await dig("loop.test A")
                #expect(loop.contains("status: NOERROR") && loop.contains("ANSWER: 2"), "\(loop)")
                #expect(try await dig("loop.test A +short") == "www.test.\nloop.test.\n")
                let dead = try await dig("dead.test A")
                #expect(dead.contains("status: NXDOMAIN") && dead.contains("ANSWER: 1"), "\(dead)")
            }
        }

        @Test func `a reply with a wrong identifier is ignored`() async throws {
            try await serving(rule(DNSReply(malformation: .wrongIdentifier))) { dig async throws in
                let text = try await dig("api.test A")
                #expect(text.contains("ID mismatch") && text.contains("timed out"), "\(text)")
            }
        }

        @Test func `a reply with a wrong question is detected`() async throws {
            try await serving(rule(DNSReply(malformation: .wrongQuestion))) { dig async throws in
                let text = try await dig("api.test A")
                #expect(text.contains("Question section mismatch: got other.test/A/IN"), "\(text)")
            }
        }

        @Test(arguments: [DNSReply.Malformation.malformed, .garbage])
        func `an unreadable reply is reported as malformed`(malformation: DNSReply.Malformation) async throws {
            try await serving(rule(DNSReply(malformation: malformation))) { dig async throws in
                let text = try await dig("api.test A")
                #expect(text.contains("malformed message packet") || text.contains("bad packet"), "\(text)")
            }
        }

        @Test func `an oversized reply exceeds the size that the client accepts`() async throws {
            try await serving(rule(DNSReply(malformation: .oversized))) { dig async throws in
                let text = try await dig("api.test A +bufsize=1232")
                let size = text.firstMatch(of: /MSG SIZE  rcvd: (\d+)/).flatMap { Int($0.1) }
                #expect((size ?? 0) >= 4000 && text.contains("(UDP)"), "\(text)")
            }
        }

        @Test func `a reply from another address is ignored`() async throws {
            try await serving(rule(DNSReply(malformation: .fromElsewhere))) { dig async throws in
                let text = try await dig("api.test A")
                // Its socket is connected: the kernel already drops datagrams from another address.
                #expect(text.contains("timed out") && !text.contains("203.0.113.10"), "\(text)")
                #expect(try await dig("api.test A +tcp +short") == "203.0.113.10\n")
            }
        }

        @Test func `every name resolves to the portal`() async throws {
            try await serving([DNSRule(host: "*", content: .addresses(["203.0.113.10"]))]) { dig async throws in
                for name in ["a.test", "www.example.com"] {
                    #expect(try await dig("\(name) A +noall +answer").contains("\t0\tIN\tA\t203.0.113.10"))
                }
            }
        }

        @Test func `the server of one network replies differently`() async throws {
            let rules = [
                DNSRule(host: "api.test", content: .origin),
                DNSRule(host: "api.test", interface: .wifi, reply: DNSReply(content: .refused)),
                DNSRule(host: "b.test", interface: .cellular, reply: DNSReply(content: .refused)),
            ]
            try await serving(rules, wifi: true) { dig async throws in
                #expect(try await dig("api.test A").contains("status: REFUSED"))
                #expect(try await dig("b.test A").contains("status: NXDOMAIN"))
            }
            try await serving(rules) { dig async throws in
                #expect(try await dig("api.test A +short") == "203.0.113.10\n")
            }
        }

        @Test func `DNS64 synthesises AAAA records, and the prefix can be hidden or overridden`() async throws {
            let hidden = [DNSRule(host: "ipv4only.arpa", content: .nxdomain)]
            let only4 = [
                DNSRule(host: "api.test", reply: DNSReply(exceptions: [.aaaa: DNSReply(content: .addresses([]))]))
            ]
            let told = [
                DNSRule(
                    host: "ipv4only.arpa",
                    reply: DNSReply(
                        content: .addresses(["192.0.0.170", "192.0.0.171"]),
                        exceptions: [.aaaa: DNSReply(content: .addresses(["2001:db8:64::c000:aa"]))]))
            ]
            try await serving(hidden, nat64: NAT64Plan()) { dig async throws in
                #expect(try await dig("api.test AAAA +short") == "2001:db8:64::cb00:710a\n")
                #expect(try await dig("ipv4only.arpa AAAA").contains("NXDOMAIN"))
            }
            try await serving(only4, nat64: NAT64Plan()) { dig async throws in
                #expect(try await dig("ipv4only.arpa AAAA +short") == "2001:db8:64::c000:aa\n2001:db8:64::c000:ab\n")
                // An explicit rule for AAAA prevents synthesis.
                #expect(try await dig("api.test AAAA +short") == "")
            }
            try await serving(told, nat64: NAT64Plan(dns64: false)) { dig async throws in
                #expect(try await dig("api.test AAAA +short") == "")
                #expect(try await dig("ipv4only.arpa AAAA +short") == "2001:db8:64::c000:aa\n")
            }
        }
    }
}
