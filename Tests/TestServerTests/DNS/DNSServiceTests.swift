import DNSMessages
import Record
import ScenarioLanguage
import Testing

@testable import TestServer

/// Decisions only: a query goes in as bytes, the reply is parsed from its bytes.
struct DNSServiceTests {
    static func service(
        _ rules: [DNSRule] = [], families: AddressFamilies = .both, nat64: NAT64Plan? = nil,
        hosts: Set<String> = ["api.test"]
    ) throws -> DNSService {
        var plan = DNSPlan()
        plan.rules = rules
        return try DNSService(
            plan: plan, families: families, nat64: nat64, hosts: hosts, origin4: "203.0.113.10",
            origin6: "2001:db8:113::10")
    }

    static func query(_ name: String, _ type: DNSRecordType, _ change: (inout DNSMessage) -> Void = { _ in }) throws
        -> [UInt8]
    {
        var message = DNSMessage()
        message.identifier = 77
        message.recursionDesired = true
        message.questions = [DNSQuestion(name: try #require(DNSName(name)), type: type)]
        change(&message)
        return message.encoded()
    }

    struct Answer {
        var message: DNSMessage
        var fact: DNSFact
        var delay: Duration?
        var addresses: [String] {
            message.answers.compactMap {
                switch $0.data {
                case .a(let address): "\(address)"
                case .aaaa(let address): "\(address)"
                case .cname, .ptr, .soa, .srv, .other: nil
                }
            }
        }
        var hasAuthority: Bool { message.authorities.map(\.type) == [.soa] }
    }

    static func sendQuery(
        _ service: DNSService, _ name: String, _ type: DNSRecordType, over transport: DNSService.Transport = .udp,
        _ change: (inout DNSMessage) -> Void = { _ in }
    ) throws -> Answer {
        var service = service
        return try sendQuery(&service, name, type, over: transport, change)
    }

    /// Like the method above, for services with sequences of replies.
    static func sendQuery(
        _ service: inout DNSService, _ name: String, _ type: DNSRecordType, over transport: DNSService.Transport = .udp,
        at server: String? = nil, _ change: (inout DNSMessage) -> Void = { _ in }
    ) throws -> Answer {
        let reply = service.reply(to: try query(name, type, change), from: "192.0.2.2", over: transport, at: server)
        switch reply.decision {
        case .reply(let bytes): return Answer(message: try DNSMessage(parsing: bytes), fact: reply.fact)
        case .after(let delay, let bytes):
            return Answer(message: try DNSMessage(parsing: bytes), fact: reply.fact, delay: delay)
        case .fromElsewhere(let delay, let bytes):
            return Answer(message: try DNSMessage(parsing: bytes), fact: reply.fact, delay: delay)
        case .silent, .reset: throw Silence()
        }
    }
    struct Silence: Error {}

    @Test func `NAT64 is switched on and off, for names with and without a rule`() throws {
        let rules = [DNSRule(host: "ruled.test", content: .origin), DNSRule(host: "gone.test", content: .nxdomain)]
        var service = try Self.service(rules)
        func addresses(_ name: String) throws -> [[String]] {
            [try Self.sendQuery(service, name, .a).addresses, try Self.sendQuery(service, name, .aaaa).addresses]
        }
        let plain = [["203.0.113.10"], ["2001:db8:113::10"]]
        #expect(try addresses("api.test") == plain && addresses("ruled.test") == plain)
        try service.setNAT64(NAT64Plan(prefix: "2001:db8:64::/96"))
        let translated = [["203.0.113.10"], ["2001:db8:64::cb00:710a"]]
        #expect(try addresses("api.test") == translated)
        #expect(try addresses("ruled.test") == translated)
        #expect(try Self.sendQuery(service, "gone.test", .a).message.responseCode == .nameError)
        try service.setNAT64(nil)
        #expect(try addresses("api.test") == plain && addresses("ruled.test") == plain)
        #expect(throws: DNSServiceError.prefix("none")) { try service.setNAT64(NAT64Plan(prefix: "none")) }
    }

    @Test func `rules are replaced as a whole`() throws {
        var service = try Self.service([DNSRule(host: "api.test", content: .nxdomain)])
        try service.change(DNSRule(host: "b.test", content: .origin))
        try service.replaceRules([DNSRule(host: "c.test", content: .origin)])
        #expect(try Self.sendQuery(service, "api.test", .a).addresses == ["203.0.113.10"])
        #expect(try Self.sendQuery(service, "b.test", .a).message.responseCode == .nameError)
        #expect(try Self.sendQuery(service, "c.test", .a).addresses == ["203.0.113.10"])
    }

    @Test func `a name of the scenario resolves to the origin`() throws {
        let answer = try Self.sendQuery(try Self.service(), "aPi.TeSt", .a)
        #expect(answer.addresses == ["203.0.113.10"])
        #expect(answer.message.identifier == 77 && answer.message.isResponse && answer.message.recursionAvailable)
        #expect(answer.message.recursionDesired && !answer.message.isAuthoritative)
        // The question comes back in the client's exact letters (0x20), and the record belongs to the same name.
        #expect(answer.message.questions.first?.name.description == "aPi.TeSt")
        #expect(answer.message.answers.first?.name == answer.message.questions.first?.name)
        #expect(
            answer.fact
                == DNSFact(
                    host: "api.test", type: "A", reply: "203.0.113.10", client: "192.0.2.2", transport: .udp,
                    timeToLive: 0))
        #expect(try Self.sendQuery(try Self.service(), "api.test.", .aaaa).addresses == ["2001:db8:113::10"])
    }

    @Test func `any other name does not exist`() throws {
        let answer = try Self.sendQuery(try Self.service(), "www.api.test", .a)
        #expect(answer.message.responseCode == .nameError)
        #expect(answer.hasAuthority && answer.message.authorities[0].name == DNSName("test"))
        #expect(answer.fact.reply == "nxdomain")
        // A name with names below it exists, without records (RFC 8020).
        for name in ["test", "."] {
            #expect(try Self.sendQuery(try Self.service(), name, .a).message.responseCode == .noError)
        }
        #expect(try Self.sendQuery(try Self.service(), "est", .a).message.responseCode == .nameError)
    }

    @Test func `a name's own rule applies before the star, the star before the known hosts`() throws {
        let rules = [
            DNSRule(host: "*", content: .refused),
            DNSRule(host: "Own.Test.", content: .addresses(["192.0.2.9", "2001:db8::9"])),
        ]
        let service = try Self.service(rules)
        #expect(try Self.sendQuery(service, "own.test", .a).addresses == ["192.0.2.9"])
        #expect(try Self.sendQuery(service, "api.test", .a).message.responseCode == .refused)
    }

    @Test func `a family that the name lacks gives an empty reply with an SOA`() throws {
        for (families, present, absent) in [
            (AddressFamilies.ipv4, DNSRecordType.a, DNSRecordType.aaaa), (.ipv6, .aaaa, .a),
        ] {
            let service = try Self.service(families: families)
            #expect(try Self.sendQuery(service, "api.test", present).addresses.count == 1)
            let answer = try Self.sendQuery(service, "api.test", absent)
            #expect(answer.message.responseCode == .noError && answer.message.answers.isEmpty && answer.hasAuthority)
            #expect(answer.fact.reply == "no records")
        }
    }

    @Test(arguments: [
        (DNSRule.Content.nxdomain, DNSResponseCode.nameError, "nxdomain"), (.servfail, .serverFailure, "servfail"),
        (.refused, .refused, "refused"),
    ])
    func `a rule can fail a name`(rule: DNSRule.Content, code: DNSResponseCode, word: String) throws {
        let answer = try Self.sendQuery(try Self.service([DNSRule(host: "api.test", content: rule)]), "api.test", .a)
        #expect(answer.message.responseCode == code && answer.message.answers.isEmpty)
        #expect(answer.fact.reply == word)
    }

    @Test func `a dead name service sends no reply for any name`() throws {
        var service = try Self.service([DNSRule(host: "*", content: .silent, delay: .seconds(1))])
        for name in ["api.test", "other.test", "ipv4only.arpa", "1.2.0.192.in-addr.arpa"] {
            let reply = service.reply(to: try Self.query(name, .a), from: "192.0.2.2", over: .udp)
            #expect(reply.decision == .silent)
            #expect(reply.fact.reply == "silent" && reply.fact.host == name)
        }
    }

    @Test func `a delay comes with the reply and is in the record`() throws {
        let service = try Self.service([DNSRule(host: "api.test", content: .origin, delay: .milliseconds(1500))])
        let answer = try Self.sendQuery(service, "api.test", .a)
        #expect(answer.delay == .milliseconds(1500))
        #expect(answer.fact.reply == "203.0.113.10, after 1500 ms")
    }

    @Test func `a rule changes from the next query on`() throws {
        var service = try Self.service()
        try service.change(DNSRule(host: "API.test", content: .nxdomain))
        #expect(try Self.sendQuery(service, "api.test", .a).message.responseCode == .nameError)
        try service.change(DNSRule(host: "api.test", content: .origin))
        let answer = try Self.sendQuery(service, "api.test", .a)
        #expect(answer.addresses == ["203.0.113.10"])
        // Nothing may be cached, or the client would not see the change.
        #expect(answer.message.answers[0].timeToLive == 0)
    }

    @Test func `a rule for all servers replaces those for single ones, and not the other way round`() throws {
        var service = try DNSService(
            plan: DNSPlan(), families: .both, nat64: nil, hosts: ["api.test"], origin4: "203.0.113.10",
            origin6: "2001:db8:113::10",
            servers: ["192.0.2.53": .wifi, "198.51.100.53": .cellular, "203.0.113.53": .wired])
        func rule(_ interface: InterfaceKind?, _ content: DNSRule.Content) -> DNSRule {
            DNSRule(host: "api.test", interface: interface, reply: DNSReply(content: content))
        }
        func codes() throws -> [DNSResponseCode] {
            try ["192.0.2.53", "198.51.100.53", "203.0.113.53"].map { server in
                try Self.sendQuery(&service, "api.test", .a, at: server).message.responseCode
            }
        }
        try service.change(rule(nil, .origin))
        try service.change(rule(.wifi, .nxdomain))
        try service.change(rule(.cellular, .servfail))
        #expect(try codes() == [.nameError, .serverFailure, .noError])
        try service.change(rule(nil, .origin))
        #expect(try codes() == [.noError, .noError, .noError])
    }

    @Test func `an invalid rule is refused with an error that names the value`() {
        #expect(throws: DNSServiceError.address("203.0.113.300", host: "api.test")) {
            try Self.service([DNSRule(host: "api.test", content: .addresses(["203.0.113.300"]))])
        }
        #expect(throws: DNSServiceError.host("a..b")) { try Self.service([DNSRule(host: "a..b", content: .origin)]) }
        #expect(throws: DNSServiceError.prefix("2001:db8::/95")) {
            try Self.service(nat64: NAT64Plan(prefix: "2001:db8::/95"))
        }
    }

    // MARK: DNS64

    @Test func `AAAA is synthesised only where none exists`() throws {
        let rules = [
            DNSRule(host: "six.test", content: .addresses(["2001:db8::6", "192.0.2.6"])),
            DNSRule(host: "mapped.test", content: .addresses(["::ffff:192.0.2.7", "192.0.2.7"])),
            DNSRule(host: "gone.test", content: .nxdomain),
        ]
        let service = try Self.service(rules, nat64: NAT64Plan())
        let origin = try Self.sendQuery(service, "api.test", .aaaa)
        #expect(origin.addresses == ["2001:db8:64::cb00:710a"])
        #expect(origin.fact.reply == "2001:db8:64::cb00:710a synthesised from 203.0.113.10")
        #expect(try Self.sendQuery(service, "six.test", .aaaa).addresses == ["2001:db8::6"])
        // RFC 6147 §5.1.4: an AAAA in ::ffff:0:0/96 counts as none.
        #expect(try Self.sendQuery(service, "mapped.test", .aaaa).addresses == ["2001:db8:64::c000:207"])
        #expect(try Self.sendQuery(service, "gone.test", .aaaa).message.responseCode == .nameError)
        // A is passed on unchanged, and ANY returns the existing records.
        #expect(try Self.sendQuery(service, "api.test", .a).addresses == ["203.0.113.10"])
        #expect(try Self.sendQuery(service, "api.test", .any).addresses == ["203.0.113.10"])
    }

    @Test func `a client that validates by itself gets no synthesised records`() throws {
        let service = try Self.service(nat64: NAT64Plan())
        let validating = try Self.sendQuery(service, "api.test", .aaaa) {
            $0.checkingDisabled = true
            $0.edns = .init(payloadSize: 1232, dnssecOK: true)
        }
        #expect(validating.addresses.isEmpty && validating.message.responseCode == .noError)
        let checkingOnly = try Self.sendQuery(service, "api.test", .aaaa) { $0.checkingDisabled = true }
        #expect(checkingOnly.addresses == ["2001:db8:64::cb00:710a"])
    }

    @Test func `a translator without DNS64 leaves an IPv4-only origin`() throws {
        let service = try Self.service(families: .ipv6, nat64: NAT64Plan(dns64: false))
        #expect(try Self.sendQuery(service, "api.test", .a).addresses == ["203.0.113.10"])
        #expect(try Self.sendQuery(service, "api.test", .aaaa).addresses.isEmpty)
    }

    @Test func `the well-known name returns the prefix`() throws {
        // RFC 7050 §3: the client finds 192.0.0.170 and .171 inside the addresses. A star rule about names does not
        // hide it.
        let star = DNSRule(host: "*", content: .origin, delay: .milliseconds(5))
        let service = try Self.service([star], nat64: NAT64Plan(prefix: "2001:db8:122:344::/64"))
        #expect(try Self.sendQuery(service, "ipv4only.arpa", .a).addresses == ["192.0.0.170", "192.0.0.171"])
        let six = try Self.sendQuery(service, "IPv4only.ARPA", .aaaa)
        #expect(six.addresses == ["2001:db8:122:344:c0:0:aa00:0", "2001:db8:122:344:c0:0:ab00:0"])
        #expect(six.delay == .milliseconds(5))
        #expect(try Self.sendQuery(try Self.service(), "ipv4only.arpa", .aaaa).addresses.isEmpty)
    }

    /// `origin` is the reply of a name without a rule, which is never the origin's address for the well-known name.
    @Test func `a rule for the well-known name leaves its addresses`() throws {
        let late = DNSRule(host: "IPv4Only.arpa", content: .origin, delay: .milliseconds(5))
        let service = try Self.service([late], nat64: NAT64Plan(prefix: "2001:db8:122:344::/64"))
        let reply = try Self.sendQuery(service, "ipv4only.arpa", .a)
        #expect(reply.addresses == ["192.0.0.170", "192.0.0.171"] && reply.delay == .milliseconds(5))
    }

    // MARK: Edge cases of the protocol

    @Test func `other types of a name that exists are empty`() throws {
        let service = try Self.service()
        for type: UInt16 in [2, 5, 12, 15, 16, 64, 65, 4711] {
            let answer = try Self.sendQuery(service, "api.test", DNSRecordType(rawValue: type))
            #expect(answer.message.responseCode == .noError && answer.message.answers.isEmpty && answer.hasAuthority)
        }
        #expect(try Self.sendQuery(service, "api.test", DNSRecordType(rawValue: 65)).fact.type == "HTTPS")
        #expect(try Self.sendQuery(service, "api.test", .any).addresses == ["203.0.113.10", "2001:db8:113::10"])
        #expect(
            try Self.sendQuery(
                try Self.service([DNSRule(host: "*", content: .origin)]), "10.113.0.203.in-addr.arpa", .ptr
            ).message
                .responseCode == .nameError)
    }

    @Test func `the reply to a query with EDNS, and only that, has EDNS`() throws {
        let service = try Self.service()
        #expect(try Self.sendQuery(service, "api.test", .a).message.edns == nil)
        let answer = try Self.sendQuery(service, "api.test", .a) { $0.edns = .init(payloadSize: 4096, dnssecOK: true) }
        #expect(answer.message.edns == .init(payloadSize: 1232, dnssecOK: true))
        let version = try Self.sendQuery(service, "api.test", .a) { $0.edns = .init(payloadSize: 4096, version: 1) }
        #expect(version.message.responseCode == .badVersion && version.message.edns?.version == 0)
    }

    @Test func `a long reply is truncated over UDP and whole over TCP`() throws {
        let rule = DNSRule(host: "many.test", content: .addresses((1...60).map { "192.0.2.\($0)" }))
        let service = try Self.service([rule])
        let plain = try Self.sendQuery(service, "many.test", .a)
        #expect(plain.message.isTruncated && plain.message.answers.isEmpty)
        #expect(plain.fact.reply.hasSuffix("192.0.2.8 and 52 more, truncated"))
        #expect(
            try Self.sendQuery(service, "many.test", .a) { $0.edns = .init(payloadSize: 4096) }.addresses.count == 60)
        // Below 512 means 512 (RFC 6891 §6.2.3).
        #expect(
            try Self.sendQuery(service, "api.test", .a) { $0.edns = .init(payloadSize: 0) }.message.isTruncated == false
        )
        let stream = try Self.sendQuery(service, "many.test", .a, over: .tcp)
        #expect(!stream.message.isTruncated && stream.addresses.count == 60)
        #expect(stream.fact.reply.hasSuffix(", over TCP"))
    }

    @Test func `an unsupported query gets the matching code`() throws {
        let service = try Self.service()
        let code = { (change: (inout DNSMessage) -> Void) in
            try Self.sendQuery(service, "api.test", .a, change).message.responseCode
        }
        #expect(try code { $0.operation = 5 } == .notImplemented)
        #expect(try code { $0.questions = [] } == .formatError)
        #expect(try code { $0.questions += $0.questions } == .formatError)
        #expect(try code { $0.questions[0].recordClass = 3 } == .refused)
        #expect(try code { $0.questions[0].type = .axfr } == .refused)
    }

    @Test func `garbage with a header is a format error, and a response is ignored`() throws {
        var service = try Self.service()
        let broken = Array(try Self.query("api.test", .a).dropLast())
        let reply = service.reply(to: broken, from: "192.0.2.2", over: .udp)
        guard case .reply(let bytes) = reply.decision else {
            Issue.record("no answer")
            return
        }
        let message = try DNSMessage(parsing: bytes)
        #expect(message.identifier == 77 && message.responseCode == .formatError && message.isResponse)
        #expect(reply.fact.reply == "formerr: the message is too short" && reply.fact.failure == .formerr)
        #expect(service.reply(to: bytes, from: "192.0.2.2", over: .udp).decision == .silent)
        #expect(service.reply(to: Array(bytes.prefix(11)), from: "192.0.2.2", over: .udp).decision == .silent)
    }

    /// 200,000 inputs from a fixed seed: noise, and real messages with bytes changed, removed, repeated and pointers
    /// inserted, which reach deeper than noise. The run itself proves that nothing traps; a message that can be parsed
    /// must also be encodable and stay within its limit.
    @Test func `no input crashes the service`() throws {
        var random = SplitMix(state: 0x5eed)
        var service = try Self.service(
            [DNSRule(host: "many.test", content: .addresses((1...40).map { "192.0.2.\($0)" }))], nat64: NAT64Plan())
        var seeds = [
            try Self.query("api.test", .aaaa), try Self.query("many.test", .any) { $0.edns = .init(payloadSize: 1400) },
        ]
        for name in ["many.test", "ipv4only.arpa", "nowhere.test"] {
            let query = try Self.query(name, .aaaa)
            guard case .reply(let bytes) = service.reply(to: query, from: "::1", over: .tcp).decision else {
                throw Silence()
            }
            seeds.append(bytes)
        }
        var readable = 0
        for round in 0..<200_000 {
            var bytes: [UInt8]
            if round % 8 == 0 {
                bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }
            } else {
                bytes = Array(seeds[round % seeds.count].prefix(100))
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch UInt8.random(in: 0...4, using: &random) {
                    case 0: bytes[place] = .random(in: .min ... .max, using: &random)
                    case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                    case 2: bytes.removeLast(bytes.count - max(place, 1))
                    case 3: bytes.insert(contentsOf: [0xc0, UInt8.random(in: 0...160, using: &random)], at: place)
                    default: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
                    }
                }
            }
            if case .reply(let answer) = service.reply(to: bytes, from: "::1", over: .udp).decision {
                guard answer.count <= 1232, (try? DNSMessage(parsing: answer))?.isResponse == true else {
                    Issue.record("wrong answer \(answer) to \(bytes)")
                    return
                }
            }
            if round % 4 == 1, let message = try? DNSMessage(parsing: bytes) {
                readable += 1
                _ = message.encoded(limit: 512)
            }
        }
        // Otherwise only the parser's errors would have been tested.
        #expect(readable > 5000)
    }
}

/// A seeded generator (SplitMix64), the same on every machine.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
