import DNSMessages
import InternetAddresses
import Testing

@testable import LocalServices

/// The machine on a clock of the test. Delays are random within the limits of RFC 6762, and the seed makes them
/// repeatable, so each test runs to a time at which a step must be over.
struct ResponderTests {
    private static let type = ServiceType("_http._tcp")!
    private static let instance = ServiceInstance(name: "Web", type: type)!
    private static let text: [UInt8] = [3, 0x61, 0x3d, 0x31]

    /// A responder, and everything that it sent with the times in milliseconds.
    private struct Bench {
        var responder = Responder(
            hostLabel: "box", addresses: [.v4(0x0A00_0001), .v6(high: 0xFE80 << 48, low: 1)], seed: 7)
        var now: Nanoseconds = 0
        var sent: [(at: Int64, message: DNSMessage)] = []
        var events: [Responder.Event] = []

        mutating func publish(_ instance: ServiceInstance = instance, id: Int = 1, mayRename: Bool = true) {
            responder.publish(id, instance, port: 80, text: text, mayRename: mayRename, at: now)
        }

        /// Performs every step that is due until `milliseconds`.
        mutating func run(to milliseconds: Int64) {
            let end = Nanoseconds.milliseconds(milliseconds)
            while let due = responder.deadline, due <= end {
                now = max(now, due)
                take(responder.tick(at: now))
            }
            now = end
        }

        @discardableResult mutating func receive(_ message: DNSMessage, isLegacy: Bool = false) -> [DNSMessage] {
            let output = responder.received(message, isLegacy: isLegacy, at: now)
            take(output)
            return output.unicast
        }

        private mutating func take(_ output: Responder.Output) {
            sent += output.multicast.map { (now / 1_000_000, $0) }
            events += output.events
        }

        var published: Bench {
            var bench = self
            bench.publish()
            bench.run(to: 10_000)
            bench.sent = []
            return bench
        }
    }

    private static func query(_ name: DNSName, _ type: DNSRecordType, class number: UInt16 = 1) -> DNSMessage {
        var message = DNSMessage()
        message.questions = [DNSQuestion(name: name, type: type, recordClass: number)]
        return message
    }

    private static func response(_ records: DNSRecord...) -> DNSMessage {
        var message = DNSMessage()
        message.isResponse = true
        message.answers = records
        return message
    }

    private static func location(_ name: DNSName, port: UInt16, host: String = "other.local") -> DNSRecord {
        DNSRecord(name: name, timeToLive: 120, data: .srv(.init(port: port, target: DNSName(host)!))).flushing(true)
    }

    /// RFC 6762 §8.1 and §8.3: three probes 250 ms apart, then at least two announcements a second apart.
    @Test func `a service is probed for three times and announced twice`() throws {
        var bench = Bench()
        bench.publish()
        bench.run(to: 60_000)
        let probes = bench.sent.filter { entry in
            !entry.message.isResponse && entry.message.questions.contains { $0.name == Self.instance.dnsName }
        }
        #expect(probes.count == 3)
        #expect(probes[1].at - probes[0].at == 250 && probes[2].at - probes[1].at == 250)
        #expect(probes.allSatisfy { $0.message.questions.allSatisfy { $0.type == .any && $0.prefersUnicast } })
        #expect(probes.allSatisfy { $0.message.authorities.allSatisfy { !$0.flushesCache } })
        let announcements = bench.sent.filter {
            $0.message.isResponse && $0.message.answers.contains { $0.type == .ptr }
        }
        #expect(announcements.count == 2)
        #expect(announcements[0].at - probes[2].at >= 250 && announcements[1].at - announcements[0].at == 1_000)
        let records = announcements[0].message.answers
        #expect(Set(records.map(\.type)) == [.ptr, .srv, .txt])
        #expect(records.allSatisfy { $0.flushesCache == ($0.type != .ptr) })
        #expect(bench.events == [.published(1, "Web")])
        let host = try #require(bench.sent.firstIndex { $0.message.answers.contains { $0.type == .aaaa } })
        let service = try #require(bench.sent.firstIndex { $0.message.answers.contains { $0.type == .srv } })
        #expect(host < service)
        #expect(bench.responder.deadline == nil)
    }

    @Test func `a conflict while probing gives the service another name`() {
        var bench = Bench()
        bench.publish()
        bench.run(to: 400)
        bench.receive(Self.response(Self.location(Self.instance.dnsName, port: 81)))
        bench.run(to: 10_000)
        #expect(bench.events == [.published(1, "Web (2)")])
        let probes = bench.sent.filter { $0.message.questions.contains { $0.name == Self.instance.renamed.dnsName } }
        #expect(probes.count == 3)
    }

    @Test func `a service that may not be renamed ends with a conflict`() {
        var bench = Bench()
        bench.publish(mayRename: false)
        bench.run(to: 400)
        bench.receive(Self.response(Self.location(Self.instance.dnsName, port: 81)))
        bench.run(to: 10_000)
        #expect(bench.events == [.conflicted(1)])
        #expect(bench.responder.deadline == nil)
    }

    @Test func `a record with the same content, a goodbye and another type are not conflicts`() {
        var bench = Bench()
        bench.publish()
        bench.run(to: 400)
        let name = Self.instance.dnsName
        bench.receive(Self.response(Self.location(name, port: 80, host: "BOX.local")))
        bench.receive(Self.response(Self.location(name, port: 81).living(0)))
        bench.receive(Self.response(DNSRecord(name: name, timeToLive: 9, data: .a(1))))
        bench.run(to: 10_000)
        #expect(bench.events == [.published(1, "Web")])
    }

    /// §9: a host that finds a conflict later probes again, and the other one defends the name.
    @Test func `a conflict after the announcement is resolved by probing again`() {
        var bench = Bench().published
        bench.receive(Self.response(Self.location(Self.instance.dnsName, port: 81)))
        bench.run(to: 10_100)
        #expect(bench.sent.contains { $0.message.questions.contains { $0.name == Self.instance.dnsName } })
        bench.receive(Self.response(Self.location(Self.instance.dnsName, port: 81)))
        bench.run(to: 20_000)
        #expect(bench.events == [.published(1, "Web"), .published(1, "Web (2)")])
    }

    @Test func `a host name in use is counted on, and the service names the new host`() throws {
        var bench = Bench()
        bench.publish()
        bench.run(to: 400)
        bench.receive(Self.response(DNSRecord(name: DNSName("box.local")!, timeToLive: 120, data: .a(0x0A00_0002))))
        bench.run(to: 20_000)
        let last = try #require(bench.sent.last { $0.message.answers.contains { $0.type == .srv } })
        let location = try #require(last.message.answers.first { $0.type == .srv })
        #expect(location.data == .srv(.init(port: 80, target: DNSName("box-2.local")!)))
    }

    /// §8.2: of two simultaneous probes the later data wins, and the other host waits for a second.
    @Test(arguments: [(UInt16(79), false), (81, true)])
    func `of simultaneous probes the one with later data continues`(_ port: UInt16, _ waits: Bool) {
        var bench = Bench()
        bench.publish()
        bench.run(to: 400)
        let probed = bench.now
        var probe = Self.query(Self.instance.dnsName, .any)
        probe.authorities = [
            Self.location(Self.instance.dnsName, port: port, host: "box.local").flushing(false),
            DNSRecord(name: Self.instance.dnsName, timeToLive: 120, data: .other(.txt, Self.text)),
        ]
        bench.receive(probe)
        bench.run(to: 30_000)
        let later = bench.sent.first { entry in
            entry.at > probed / 1_000_000 && entry.message.questions.contains { $0.name == Self.instance.dnsName }
        }
        #expect(((later?.at ?? 0) - probed / 1_000_000 >= 1_000) == waits)
        #expect(bench.events == [.published(1, "Web")])
    }

    /// §6: responses with shared records wait 20 to 120 ms. The additional records are those that resolve the service.
    @Test func `a search is answered after a delay with all records of the service`() throws {
        var bench = Bench().published
        bench.receive(Self.query(Self.type.dnsName, .ptr))
        #expect(bench.sent.isEmpty)
        bench.run(to: 10_200)
        let entry = try #require(bench.sent.first)
        #expect((10_020...10_120).contains(entry.at) && bench.sent.count == 1)
        #expect(entry.message.answers.map(\.data) == [.ptr(Self.instance.dnsName)])
        #expect(Set(entry.message.additionals.map(\.type)) == [.srv, .txt, .a, .aaaa])
        #expect(entry.message.identifier == 0 && entry.message.questions.isEmpty && entry.message.isAuthoritative)
    }

    /// §7.1: suppressed if the querier's copy has at least half of its life left.
    @Test(arguments: [(UInt32(2_250), 0), (2_249, 1)])
    func `a known answer is not repeated`(_ life: UInt32, _ responses: Int) {
        var bench = Bench().published
        var query = Self.query(Self.type.dnsName, .ptr)
        query.answers = [DNSRecord(name: Self.type.dnsName, timeToLive: life, data: .ptr(Self.instance.dnsName))]
        bench.receive(query)
        bench.run(to: 11_000)
        #expect(bench.sent.count == responses)
    }

    @Test func `a question for an owned name is answered at once, and once in a second`() {
        var bench = Bench().published
        for _ in 0..<3 { bench.receive(Self.query(Self.instance.dnsName, .srv)) }
        #expect(bench.sent.count == 1 && bench.sent.first?.at == 10_000)
        bench.run(to: 11_000)
        bench.receive(Self.query(Self.instance.dnsName, .srv))
        #expect(bench.sent.count == 2)
    }

    @Test func `a type that an owned name does not have is denied`() throws {
        var bench = Bench().published
        bench.receive(Self.query(Self.instance.dnsName, .aaaa))
        #expect(try #require(bench.sent.first).message.answers.map(\.type) == [.nsec])
        bench.receive(Self.query(try #require(DNSName("elsewhere.local")), .a))
        #expect(bench.sent.count == 1)
    }

    @Test func `a question that prefers unicast is answered to its sender`() {
        var bench = Bench().published
        let replies = bench.receive(Self.query(Self.instance.dnsName, .srv, class: 0x8001))
        #expect(replies.count == 1 && bench.sent.isEmpty && replies.first?.answers.first?.flushesCache == true)
    }

    /// §6.7: a resolver without multicast needs its question and identifier, and must not see the cache-flush bit.
    @Test func `a conventional query gets a conventional reply`() throws {
        var bench = Bench().published
        var query = Self.query(Self.instance.dnsName, .srv)
        query.identifier = 77
        let replies = bench.receive(query, isLegacy: true)
        let reply = try #require(replies.first)
        #expect(reply.identifier == 77 && reply.questions == query.questions && bench.sent.isEmpty)
        #expect((reply.answers + reply.additionals).allSatisfy { !$0.flushesCache && $0.timeToLive <= 10 })
        // A response from another port could come from anywhere (§6).
        bench.receive(Self.response(Self.location(Self.instance.dnsName, port: 81)), isLegacy: true)
        #expect(bench.responder.deadline == nil)
    }

    @Test func `names that are still probed for are not answered`() {
        var bench = Bench()
        bench.publish()
        bench.run(to: 400)
        bench.sent = []
        let replies = bench.receive(Self.query(Self.instance.dnsName, .srv, class: 0x8001))
        #expect(replies.isEmpty)
        bench.receive(Self.query(Self.type.dnsName, .ptr))
        #expect(bench.sent.isEmpty)
    }

    /// The type stays listed while another service has it, and the host while there is any service.
    @Test func `a service ends with a goodbye`() throws {
        var bench = Bench()
        bench.publish()
        bench.publish(try #require(ServiceInstance(name: "Other", type: Self.type)), id: 2)
        bench.run(to: 10_000)
        let goodbye = bench.responder.withdraw(1).multicast
        let first = try #require(goodbye.first)
        #expect(first.answers.allSatisfy { $0.timeToLive == 0 })
        #expect(first.answers.map(\.type) == [.ptr, .srv, .txt])
        let farewell = bench.responder.withdraw(2).multicast
        let last = try #require(farewell.first)
        #expect(Set(last.answers.map(\.type)) == [.ptr, .srv, .txt, .a, .aaaa])
        let again = bench.responder.withdraw(2).multicast
        #expect(again.isEmpty && bench.responder.deadline == nil)
    }

    @Test func `a service that was never announced ends silently`() {
        var bench = Bench()
        bench.publish()
        bench.run(to: 400)
        let goodbye = bench.responder.withdraw(1).multicast
        #expect(goodbye.isEmpty)
    }

    @Test func `new attributes and new addresses are announced`() {
        var bench = Bench().published
        bench.responder.setText([0], of: 1, at: bench.now)
        bench.run(to: 12_000)
        #expect(bench.sent.filter { $0.message.answers.contains { $0.data == .other(.txt, [0]) } }.count == 2)
        bench.sent = []
        bench.responder.setAddresses([.v4(0x0A00_0009)], at: bench.now)
        bench.run(to: 20_000)
        #expect(bench.sent.contains { $0.message.answers.contains { $0.data == .a(0x0A00_0009) } })
        #expect(!bench.sent.contains { $0.message.answers.contains { $0.type == .aaaa } })
    }
}
