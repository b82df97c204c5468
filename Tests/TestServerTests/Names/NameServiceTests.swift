import Scenario
import Testing

@testable import TestServer

/// Decisions only: a query goes in as bytes, the answer is read back from its bytes.
struct NameServiceTests {
    static func service(
        _ rules: [NameRule] = [], families: AddressFamilies = .both, nat64: NAT64Plan? = nil, hosts: Set<String> = ["api.test"]
    ) throws -> NameService {
        var plan = NamePlan()
        plan.rules = rules
        return try NameService(
            plan: plan, families: families, nat64: nat64, hosts: hosts, origin4: "203.0.113.10", origin6: "2001:db8:113::10")
    }

    static func query(_ name: String, _ type: DNSRecordType, _ change: (inout DNSMessage) -> Void = { _ in }) throws -> [UInt8] {
        var message = DNSMessage()
        message.identifier = 77
        message.recursionDesired = true
        message.questions = [DNSQuestion(name: try #require(DNSName(name)), type: type)]
        change(&message)
        return message.encoded()
    }

    struct Answer {
        var message: DNSMessage
        var fact: NameFact
        var delay: Duration?
        var addresses: [String] {
            message.answers.compactMap {
                switch $0.data {
                case .a(let bits): "\(DNSAddress.v4(bits))"
                case .aaaa(let bits): "\(DNSAddress.v6(bits))"
                case .cname, .ptr, .soa, .other: nil
                }
            }
        }
        var hasAuthority: Bool { message.authorities.map(\.type) == [.soa] }
    }

    static func ask(
        _ service: NameService, _ name: String, _ type: DNSRecordType, over transport: NameService.Transport = .udp,
        _ change: (inout DNSMessage) -> Void = { _ in }
    ) throws -> Answer {
        var service = service
        return try ask(&service, name, type, over: transport, change)
    }

    /// As above, for services whose answers come in turn.
    static func ask(
        _ service: inout NameService, _ name: String, _ type: DNSRecordType, over transport: NameService.Transport = .udp,
        at server: String? = nil, _ change: (inout DNSMessage) -> Void = { _ in }
    ) throws -> Answer {
        let reply = service.reply(to: try query(name, type, change), from: "192.0.2.2", over: transport, at: server)
        switch reply.decision {
        case .answer(let bytes): return Answer(message: try DNSMessage(parsing: bytes), fact: reply.fact)
        case .after(let delay, let bytes): return Answer(message: try DNSMessage(parsing: bytes), fact: reply.fact, delay: delay)
        case .fromElsewhere(let delay, let bytes):
            return Answer(message: try DNSMessage(parsing: bytes), fact: reply.fact, delay: delay)
        case .silent, .reset: throw Silence()
        }
    }
    struct Silence: Error {}

    @Test func `a name of the scenario leads to the origin`() throws {
        let answer = try Self.ask(try Self.service(), "aPi.TeSt", .a)
        #expect(answer.addresses == ["203.0.113.10"])
        #expect(answer.message.identifier == 77 && answer.message.isResponse && answer.message.recursionAvailable)
        #expect(answer.message.recursionDesired && !answer.message.isAuthoritative)
        // The question comes back in the client's own letters (0x20), the answer belongs to the same name.
        #expect(answer.message.questions.first?.name.description == "aPi.TeSt")
        #expect(answer.message.answers.first?.name == answer.message.questions.first?.name)
        #expect(answer.fact == NameFact(host: "api.test", type: "A", answer: "203.0.113.10", client: "192.0.2.2", transport: .udp, timeToLive: 0))
        #expect(try Self.ask(try Self.service(), "api.test.", .aaaa).addresses == ["2001:db8:113::10"])
    }

    @Test func `any other name does not exist`() throws {
        let answer = try Self.ask(try Self.service(), "www.api.test", .a)
        #expect(answer.message.responseCode == .nameError)
        #expect(answer.hasAuthority && answer.message.authorities[0].name == DNSName("test"))
        #expect(answer.fact.answer == "nxdomain")
        // What has names below it exists, without records (RFC 8020).
        for name in ["test", "."] { #expect(try Self.ask(try Self.service(), name, .a).message.responseCode == .noError) }
        #expect(try Self.ask(try Self.service(), "est", .a).message.responseCode == .nameError)
    }

    @Test func `a rule of its own counts before the star, the star before the known hosts`() throws {
        let rules = [
            NameRule(host: "*", answer: .refused), NameRule(host: "Own.Test.", answer: .addresses(["192.0.2.9", "2001:db8::9"])),
        ]
        let service = try Self.service(rules)
        #expect(try Self.ask(service, "own.test", .a).addresses == ["192.0.2.9"])
        #expect(try Self.ask(service, "api.test", .a).message.responseCode == .refused)
    }

    @Test func `a family that the name lacks is an empty answer with an SOA`() throws {
        for (families, present, absent) in [(AddressFamilies.ipv4, DNSRecordType.a, DNSRecordType.aaaa), (.ipv6, .aaaa, .a)] {
            let service = try Self.service(families: families)
            #expect(try Self.ask(service, "api.test", present).addresses.count == 1)
            let answer = try Self.ask(service, "api.test", absent)
            #expect(answer.message.responseCode == .noError && answer.message.answers.isEmpty && answer.hasAuthority)
            #expect(answer.fact.answer == "no records")
        }
    }

    @Test(arguments: [
        (NameRule.Answer.nxdomain, DNSResponseCode.nameError, "nxdomain"), (.servfail, .serverFailure, "servfail"),
        (.refused, .refused, "refused"),
    ])
    func `a rule can fail a name`(rule: NameRule.Answer, code: DNSResponseCode, word: String) throws {
        let answer = try Self.ask(try Self.service([NameRule(host: "api.test", answer: rule)]), "api.test", .a)
        #expect(answer.message.responseCode == code && answer.message.answers.isEmpty)
        #expect(answer.fact.answer == word)
    }

    @Test func `a dead name service says nothing, whatever the name`() throws {
        var service = try Self.service([NameRule(host: "*", answer: .silent, delay: .seconds(1))])
        for name in ["api.test", "other.test", "ipv4only.arpa", "1.2.0.192.in-addr.arpa"] {
            let reply = service.reply(to: try Self.query(name, .a), from: "192.0.2.2", over: .udp)
            #expect(reply.decision == .silent)
            #expect(reply.fact.answer == "silent" && reply.fact.host == name)
        }
    }

    @Test func `a delay comes with the answer and shows in the record`() throws {
        let service = try Self.service([NameRule(host: "api.test", answer: .origin, delay: .milliseconds(1500))])
        let answer = try Self.ask(service, "api.test", .a)
        #expect(answer.delay == .milliseconds(1500))
        #expect(answer.fact.answer == "203.0.113.10, after 1500 ms")
    }

    @Test func `a rule changes from the next query on`() throws {
        var service = try Self.service()
        try service.change(NameRule(host: "API.test", answer: .nxdomain))
        #expect(try Self.ask(service, "api.test", .a).message.responseCode == .nameError)
        try service.change(NameRule(host: "api.test", answer: .origin))
        let answer = try Self.ask(service, "api.test", .a)
        #expect(answer.addresses == ["203.0.113.10"])
        // Nothing may be kept, or the client would not see the change.
        #expect(answer.message.answers[0].timeToLive == 0)
    }

    @Test func `what a rule cannot mean is refused with the mend`() {
        #expect(throws: NameServiceError.address("203.0.113.300", host: "api.test")) {
            try Self.service([NameRule(host: "api.test", answer: .addresses(["203.0.113.300"]))])
        }
        #expect(throws: NameServiceError.host("a..b")) { try Self.service([NameRule(host: "a..b", answer: .origin)]) }
        #expect(throws: NameServiceError.prefix("2001:db8::/95")) { try Self.service(nat64: NAT64Plan(prefix: "2001:db8::/95")) }
    }

    // MARK: DNS64

    @Test func `AAAA is synthesised only where none exists`() throws {
        let rules = [
            NameRule(host: "six.test", answer: .addresses(["2001:db8::6", "192.0.2.6"])),
            NameRule(host: "mapped.test", answer: .addresses(["::ffff:192.0.2.7", "192.0.2.7"])),
            NameRule(host: "gone.test", answer: .nxdomain),
        ]
        let service = try Self.service(rules, nat64: NAT64Plan())
        let origin = try Self.ask(service, "api.test", .aaaa)
        #expect(origin.addresses == ["2001:db8:64::cb00:710a"])
        #expect(origin.fact.answer == "2001:db8:64::cb00:710a synthesised from 203.0.113.10")
        #expect(try Self.ask(service, "six.test", .aaaa).addresses == ["2001:db8::6"])
        // RFC 6147 §5.1.4: an AAAA in ::ffff:0:0/96 counts as none.
        #expect(try Self.ask(service, "mapped.test", .aaaa).addresses == ["2001:db8:64::c000:207"])
        #expect(try Self.ask(service, "gone.test", .aaaa).message.responseCode == .nameError)
        // A is passed on unchanged, and ANY says what exists.
        #expect(try Self.ask(service, "api.test", .a).addresses == ["203.0.113.10"])
        #expect(try Self.ask(service, "api.test", .any).addresses == ["203.0.113.10"])
    }

    @Test func `a client that validates by itself gets nothing made up`() throws {
        let service = try Self.service(nat64: NAT64Plan())
        let validating = try Self.ask(service, "api.test", .aaaa) {
            $0.checkingDisabled = true
            $0.edns = .init(payloadSize: 1232, dnssecOK: true)
        }
        #expect(validating.addresses.isEmpty && validating.message.responseCode == .noError)
        let checkingOnly = try Self.ask(service, "api.test", .aaaa) { $0.checkingDisabled = true }
        #expect(checkingOnly.addresses == ["2001:db8:64::cb00:710a"])
    }

    @Test func `a translator without DNS64 leaves an IPv4-only origin`() throws {
        let service = try Self.service(families: .ipv6, nat64: NAT64Plan(dns64: false))
        #expect(try Self.ask(service, "api.test", .a).addresses == ["203.0.113.10"])
        #expect(try Self.ask(service, "api.test", .aaaa).addresses.isEmpty)
    }

    @Test func `the well-known name shows the prefix`() throws {
        // RFC 7050 §3: the client finds 192.0.0.170 and .171 inside the addresses. A star about names does not hide it.
        let star = NameRule(host: "*", answer: .origin, delay: .milliseconds(5))
        let service = try Self.service([star], nat64: NAT64Plan(prefix: "2001:db8:122:344::/64"))
        #expect(try Self.ask(service, "ipv4only.arpa", .a).addresses == ["192.0.0.170", "192.0.0.171"])
        let six = try Self.ask(service, "IPv4only.ARPA", .aaaa)
        #expect(six.addresses == ["2001:db8:122:344:c0:0:aa00:0", "2001:db8:122:344:c0:0:ab00:0"])
        #expect(six.delay == .milliseconds(5))
        #expect(try Self.ask(try Self.service(), "ipv4only.arpa", .aaaa).addresses.isEmpty)
    }

    // MARK: The protocol's edges

    @Test func `other types of a name that exists are empty`() throws {
        let service = try Self.service()
        for type: UInt16 in [2, 5, 12, 15, 16, 64, 65, 4711] {
            let answer = try Self.ask(service, "api.test", DNSRecordType(rawValue: type))
            #expect(answer.message.responseCode == .noError && answer.message.answers.isEmpty && answer.hasAuthority)
        }
        #expect(try Self.ask(service, "api.test", DNSRecordType(rawValue: 65)).fact.type == "HTTPS")
        #expect(try Self.ask(service, "api.test", .any).addresses == ["203.0.113.10", "2001:db8:113::10"])
        #expect(try Self.ask(try Self.service([NameRule(host: "*", answer: .origin)]), "10.113.0.203.in-addr.arpa", .ptr).message
            .responseCode == .nameError)
    }

    @Test func `EDNS is answered with EDNS and only then`() throws {
        let service = try Self.service()
        #expect(try Self.ask(service, "api.test", .a).message.edns == nil)
        let answer = try Self.ask(service, "api.test", .a) { $0.edns = .init(payloadSize: 4096, dnssecOK: true) }
        #expect(answer.message.edns == .init(payloadSize: 1232, dnssecOK: true))
        let version = try Self.ask(service, "api.test", .a) { $0.edns = .init(payloadSize: 4096, version: 1) }
        #expect(version.message.responseCode == .badVersion && version.message.edns?.version == 0)
    }

    @Test func `a long answer is cut for UDP and whole over TCP`() throws {
        let rule = NameRule(host: "many.test", answer: .addresses((1...60).map { "192.0.2.\($0)" }))
        let service = try Self.service([rule])
        let plain = try Self.ask(service, "many.test", .a)
        #expect(plain.message.isTruncated && plain.message.answers.isEmpty)
        #expect(plain.fact.answer.hasSuffix("192.0.2.8 and 52 more, truncated"))
        #expect(try Self.ask(service, "many.test", .a) { $0.edns = .init(payloadSize: 4096) }.addresses.count == 60)
        // Below 512 means 512 (RFC 6891 §6.2.3).
        #expect(try Self.ask(service, "api.test", .a) { $0.edns = .init(payloadSize: 0) }.message.isTruncated == false)
        let stream = try Self.ask(service, "many.test", .a, over: .tcp)
        #expect(!stream.message.isTruncated && stream.addresses.count == 60)
        #expect(stream.fact.answer.hasSuffix(", over TCP"))
    }

    @Test func `what is no query of ours gets the fitting code`() throws {
        let service = try Self.service()
        let code = { (change: (inout DNSMessage) -> Void) in try Self.ask(service, "api.test", .a, change).message.responseCode }
        #expect(try code { $0.operation = 5 } == .notImplemented)
        #expect(try code { $0.questions = [] } == .formatError)
        #expect(try code { $0.questions += $0.questions } == .formatError)
        #expect(try code { $0.questions[0].recordClass = 3 } == .refused)
        #expect(try code { $0.questions[0].type = .axfr } == .refused)
    }

    @Test func `garbage with a header is a format error, a response is left alone`() throws {
        var service = try Self.service()
        let broken = Array(try Self.query("api.test", .a).dropLast())
        let reply = service.reply(to: broken, from: "192.0.2.2", over: .udp)
        guard case .answer(let bytes) = reply.decision else {
            Issue.record("no answer")
            return
        }
        let message = try DNSMessage(parsing: bytes)
        #expect(message.identifier == 77 && message.responseCode == .formatError && message.isResponse)
        #expect(reply.fact.answer == "formerr: the message ends too soon")
        #expect(service.reply(to: bytes, from: "192.0.2.2", over: .udp).decision == .silent)
        #expect(service.reply(to: Array(bytes.prefix(11)), from: "192.0.2.2", over: .udp).decision == .silent)
    }

    /// 200,000 inputs from a fixed seed: noise, and real messages with bytes changed, cut, repeated and pointers thrown in, which reach
    /// deeper than noise. The run itself proves that nothing traps; what is read must also be writable and stay within its limit.
    @Test func `no input brings the service down`() throws {
        var random = SplitMix(state: 0x5eed)
        var service = try Self.service(
            [NameRule(host: "many.test", answer: .addresses((1...40).map { "192.0.2.\($0)" }))], nat64: NAT64Plan())
        var seeds = [try Self.query("api.test", .aaaa), try Self.query("many.test", .any) { $0.edns = .init(payloadSize: 1400) }]
        for name in ["many.test", "ipv4only.arpa", "nowhere.test"] {
            let query = try Self.query(name, .aaaa)
            guard case .answer(let bytes) = service.reply(to: query, from: "::1", over: .tcp).decision else { throw Silence() }
            seeds.append(bytes)
        }
        var readable = 0
        for round in 0..<200_000 {
            var bytes: [UInt8]
            if round % 8 == 0 {
                bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
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
            if case .answer(let answer) = service.reply(to: bytes, from: "::1", over: .udp).decision {
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
        // Otherwise only the reader's refusals would have been tried.
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
