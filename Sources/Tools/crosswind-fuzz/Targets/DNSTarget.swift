import DNSMessages
import Record
import ScenarioLanguage
import TestServer

/// The DNS server, from the bytes of a query to the bytes of its reply.
struct DNSTarget: FuzzTarget {
    static let name = "names"
    static let subject = "DNS messages (RFC 1035, RFC 6891) and the replies of the DNS server"

    private var service: DNSService

    init() {
        var plan = DNSPlan()
        plan.rules = [
            DNSRule(
                host: "api.test", sequence: [.init(DNSReply(content: .servfail))],
                reply: DNSReply(aliases: ["a.test", "b.test"])),
            DNSRule(host: "many.test", reply: DNSReply(content: .addresses((1...200).map { "192.0.2.\($0)" }))),
            DNSRule(host: "cut.test", reply: DNSReply(malformation: .truncated)),
            DNSRule(host: "odd.test", reply: DNSReply(malformation: .wrongQuestion)),
            DNSRule(host: "bad.test", reply: DNSReply(malformation: .malformed)),
            DNSRule(host: "gone.test", reply: DNSReply(content: .nxdomain)),
        ]
        do throws(DNSServiceError) {
            service = try DNSService(
                plan: plan, families: .both, nat64: nil, hosts: ["api.test"], origin4: "198.51.100.7",
                origin6: "2001:db8::7")
        } catch { preconditionFailure("the plan is sound: \(error)") }
    }

    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        let bytes = DNSTarget.query(&random)
        let message = try? DNSMessage(parsing: bytes)
        if let message {
            // A parsed message must be the same after it is written and parsed again.
            let written = message.encoded()
            guard written.count > 65_535 || (try? DNSMessage(parsing: written)) == message else {
                throw FuzzFinding("writing and reading changes the message", bytes)
            }
            _ = message.encoded(limit: random.below(1500))
        }
        let transport: DNSFact.Transport = random.happens(oneIn: 2) ? .udp : .tcp
        let reply = service.reply(to: bytes, from: "192.0.2.2:5353", over: transport)
        switch reply.decision {
        case .silent, .reset: break
        case .reply(let answer), .after(_, let answer), .fromElsewhere(_, let answer):
            guard answer.count >= 2, Array(answer.prefix(2)) == Array(bytes.prefix(2)) else {
                throw FuzzFinding("a reply with a different identifier", bytes)
            }
            if transport == .udp, answer.count > 4096 {
                throw FuzzFinding("a datagram of \(answer.count) bytes", bytes)
            }
            if message?.isResponse == true { throw FuzzFinding("a reply to a reply", bytes) }
        }
        if reply.fact.reply.isEmpty { throw FuzzFinding("a query without an answer in the record", bytes) }
        return message != nil
    }

    private static let hosts = [
        "api.test", "many.test", "cut.test", "odd.test", "bad.test", "gone.test", "elsewhere.example", "",
    ]

    private static func query(_ random: inout FuzzRandom) -> [UInt8] {
        var bytes = random.bytes(2) + [random.happens(oneIn: 8) ? random.byte() : 1, 0]
        let additional = random.happens(oneIn: 2)
        let answers = random.happens(oneIn: 6) ? random.below(3) : 0
        bytes += [0, 1, 0, UInt8(answers), 0, 0, 0, additional ? 1 : 0]
        bytes += name(random.pick(hosts)) + [0, random.pick([1, 28, 5, 15, 16, 255, 65]), 0, 1]
        for _ in 0..<answers {
            bytes += random.happens(oneIn: 2) ? [0xc0, 12] : name(random.pick(hosts))
            let data =
                random.pick(
                    [
                        [0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1], [0, 5, 0, 1, 0, 0, 0, 60, 0, 2, 0xc0, 12],
                        [0, 16, 0, 1, 0, 0, 0, 1, 0, 3, 2, 65, 66],
                    ] as [[UInt8]])
            bytes += data
        }
        if additional { bytes += [0, 0, 41] + random.bytes(2) + [0, 0, UInt8(random.below(256)) & 0x80, 0, 0, 0] }
        if random.happens(oneIn: 3) { random.damage(&bytes) }
        return random.happens(oneIn: 100) ? random.bytes(random.below(80)) : bytes
    }

    private static func name(_ text: String) -> [UInt8] {
        text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }
}
