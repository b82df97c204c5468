import DNSMessages
import InternetAddresses
import LocalServices

/// Packets from a hostile local link: queries, responses, probes and goodbyes, as a responder that publishes services and
/// a querier that browses receive them.
struct MulticastTarget: FuzzTarget {
    static let name = "multicast"
    static let subject = "multicast DNS packets for LocalServices (RFC 6762, RFC 6763)"

    private var responder = Responder(
        hostLabel: "box", addresses: [.v4(0x0A00_0001), .v6(high: 0xFE80 << 48, low: 1)], seed: 7)
    private var querier = Querier(seed: 7)
    private var now: Nanoseconds = 0

    init() {
        for (id, name) in ["Web", "Printer (2)"].enumerated() {
            guard let instance = ServiceInstance(name: name, type: Self.type) else { continue }
            responder.publish(id + 1, instance, port: 80, text: [3, 0x61, 0x3d, 0x31], mayRename: true, at: now)
        }
        querier.ask(Self.type.dnsName, .ptr, at: now)
        querier.ask(Self.box, .a, at: now)
    }

    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        let bytes = Self.packet(&random)
        now += Nanoseconds(random.below(random.happens(oneIn: 20) ? 1 << 32 : 1 << 28))
        try tick(bytes)
        guard let message = try? DNSMessage(parsing: bytes) else { return false }
        let isLegacy = random.happens(oneIn: 4)
        try send(responder.received(message, isLegacy: isLegacy, at: now), bytes)
        if !isLegacy { _ = querier.received(message, at: now) }
        for record in message.answers {
            if case .other(.txt, let data) = record.data {
                let attributes = TXTRecord.attributes(data)
                guard attributes.keys.allSatisfy({ !$0.isEmpty }) else { throw FuzzFinding("an empty key", bytes) }
                if let written = TXTRecord.data(attributes), TXTRecord.attributes(written) != attributes {
                    throw FuzzFinding("writing and reading changes the attributes", bytes)
                }
            }
            if case .ptr(let target) = record.data, let found = ServiceInstance(target, of: Self.type) {
                guard ServiceInstance(found.dnsName, of: Self.type) == found, found.renamed.name.utf8.count <= 63
                else { throw FuzzFinding("an instance that is not its name", bytes) }
            }
        }
        if random.happens(oneIn: 500) { try send(responder.withdraw(1 + random.below(2)), bytes) }
        return true
    }

    /// Does what is due. After it nothing is due, or a timer would repeat without end.
    private mutating func tick(_ bytes: [UInt8]) throws(FuzzFinding) {
        try send(responder.tick(at: now), bytes)
        let queries = querier.tick(at: now).queries
        for query in queries { try encode(query, bytes) }
        if let due = querier.deadline, due <= now { throw FuzzFinding("the querier is due again", bytes) }
    }

    private func send(_ output: Responder.Output, _ bytes: [UInt8]) throws(FuzzFinding) {
        for message in output.multicast + output.unicast { try encode(message, bytes) }
    }

    private func encode(_ message: DNSMessage, _ bytes: [UInt8]) throws(FuzzFinding) {
        let written = message.encoded(limit: 8_952)
        guard written.count <= 8_952, (try? DNSMessage(parsing: written)) != nil else {
            throw FuzzFinding("a packet of \(written.count) bytes that cannot be parsed", bytes)
        }
    }

    // MARK: Packets

    private static let type: ServiceType = {
        guard let type = ServiceType("_http._tcp") else { preconditionFailure("the type is valid") }
        return type
    }()
    private static let box = dnsName(["box", "local"])
    private static let names = [
        box, dnsName(["BOX", "local"]), dnsName(["box-2", "local"]), type.dnsName, ServiceType.listing,
        dnsName(["Web", "_http", "_tcp", "local"]), dnsName(["Web (2)", "_http", "_tcp", "local"]),
        dnsName([String(repeating: "n", count: 63), "_http", "_tcp", "local"]), dnsName(["other", "local"]), .root,
    ]

    private static func dnsName(_ labels: [String]) -> DNSName { DNSName(labels: labels.map { Array($0.utf8) }) }

    private static func record(_ random: inout FuzzRandom) -> DNSRecord {
        let target = random.pick(names)
        let data: DNSRecord.Data =
            switch random.below(6) {
            case 0: .ptr(target)
            case 1: .srv(.init(port: random.word(), target: target))
            case 2: .other(.txt, random.bytes(random.below(40)))
            case 3: .a(.init(UInt32(truncatingIfNeeded: random.next())))
            case 4: .other(.nsec, random.bytes(random.below(12)))
            default: .cname(target)
            }
        let seconds = random.pick([0, 1, 120, 4_500, .max, UInt32(random.below(1 << 31))])
        return DNSRecord(name: random.pick(names), timeToLive: seconds, data: data)
            .flushing(random.happens(oneIn: 2))
    }

    private static func packet(_ random: inout FuzzRandom) -> [UInt8] {
        if random.happens(oneIn: 100) { return random.bytes(random.below(120)) }
        var message = DNSMessage()
        message.identifier = random.word()
        message.isResponse = random.happens(oneIn: 2)
        message.isTruncated = random.happens(oneIn: 10)
        for _ in 0..<(message.isResponse ? 0 : 1 + random.below(3)) {
            var question = DNSQuestion(name: random.pick(names), type: random.pick([.ptr, .srv, .txt, .a, .any]))
            if random.happens(oneIn: 2) { question.recordClass |= 0x8000 }
            message.questions.append(question)
        }
        for _ in 0..<random.below(4) { message.answers.append(record(&random)) }
        for _ in 0..<(random.happens(oneIn: 3) ? random.below(4) : 0) { message.authorities.append(record(&random)) }
        for _ in 0..<(random.happens(oneIn: 3) ? random.below(4) : 0) { message.additionals.append(record(&random)) }
        var bytes = message.encoded()
        if random.happens(oneIn: 3) { random.damage(&bytes) }
        return bytes
    }
}
