import DNSMessages
import InternetAddresses
import Testing

@testable import LocalServices

/// The machine on a clock of the test.
struct QuerierTests {
    private static let name = DNSName("_http._tcp.local")!

    private static func pointer(_ instance: String, _ life: UInt32 = 4_500) -> DNSRecord {
        DNSRecord(name: name, timeToLive: life, data: .ptr(DNSName(labels: [Array(instance.utf8)] + name.labels)))
    }

    private static func response(_ records: [DNSRecord]) -> DNSMessage {
        var message = DNSMessage()
        message.isResponse = true
        message.answers = records
        return message
    }

    /// Performs every step that is due until `seconds`; returns the queries with their times in milliseconds.
    private func run(_ querier: inout Querier, to seconds: Int64) -> [(at: Int64, message: DNSMessage)] {
        var sent: [(Int64, DNSMessage)] = []
        while let due = querier.deadline, due <= .seconds(seconds) {
            sent += querier.tick(at: due).queries.map { (due / 1_000_000, $0) }
        }
        return sent
    }

    /// RFC 6762 §5.2: a second, then at least twice as long each time, up to an hour.
    @Test func `a question is repeated at doubling intervals up to an hour`() {
        var querier = Querier(seed: 1)
        querier.ask(Self.name, .ptr, at: 0)
        let sent = run(&querier, to: 20_000)
        #expect((20...120).contains(sent[0].at))
        let gaps = zip(sent.dropFirst(), sent).map { ($0.at - $1.at) / 1_000 }
        #expect(gaps == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600, 3_600, 3_600, 3_600])
        #expect(sent[0].message.questions[0].prefersUnicast && !sent[1].message.questions[0].prefersUnicast)
    }

    @Test func `a question with two users is asked until both stop`() {
        var querier = Querier(seed: 1)
        querier.ask(Self.name, .ptr, at: 0)
        querier.ask(Self.name, .ptr, at: 0)
        querier.stop(Self.name, .ptr)
        #expect(querier.deadline != nil)
        querier.stop(Self.name, .ptr)
        #expect(querier.deadline == nil)
    }

    /// §7.1: only with more than half of its life left, and with what is left of it.
    @Test func `known answers are listed while they are fresh`() {
        var querier = Querier(seed: 1)
        _ = querier.received(Self.response([Self.pointer("a", 100)]), at: 0)
        querier.ask(Self.name, .ptr, at: .seconds(10))
        let first = querier.tick(at: .seconds(11)).queries
        #expect(first.first?.answers == [Self.pointer("a", 89)])
        let second = querier.tick(at: .seconds(51)).queries
        #expect(second.count == 1 && second.first?.answers.isEmpty == true)
    }

    private static func query(_ known: [DNSRecord] = [], unicast: Bool = false, isTruncated: Bool = false) -> DNSMessage
    {
        var message = DNSMessage()
        var question = DNSQuestion(name: name, type: .ptr)
        if unicast { question.recordClass |= 0x8000 }
        message.questions = [question]
        message.answers = known
        message.isTruncated = isTruncated
        return message
    }

    /// §7.3. The question is due at 120 ms at the latest, and after that a second later.
    @Test func `a question that another host asks counts as asked`() {
        var querier = Querier(seed: 1)
        querier.ask(Self.name, .ptr, at: 0)
        _ = querier.received(Self.query(), at: .milliseconds(10))
        #expect(querier.deadline == .milliseconds(1_010))
        // The next one is asked, and its copy that the kernel returns changes nothing.
        let sent = querier.tick(at: .milliseconds(1_010)).queries
        #expect(sent.count == 1)
        let after = querier.deadline
        for query in sent { _ = querier.received(query, at: .milliseconds(1_011)) }
        #expect(querier.deadline == after)
    }

    /// Each of these leaves this host without a response that it needs.
    @Test func `another host's question does not count if its responses do not serve this one`() {
        for query in [
            Self.query(unicast: true), Self.query([Self.pointer("unknown here")]), Self.query(isTruncated: true),
        ] {
            var querier = Querier(seed: 1)
            querier.ask(Self.name, .ptr, at: 0)
            let planned = querier.deadline
            _ = querier.received(query, at: .milliseconds(10))
            #expect(querier.deadline == planned)
        }
    }

    @Test func `many known answers follow in further messages`() {
        var querier = Querier(seed: 1)
        _ = querier.received(Self.response((0..<60).map { Self.pointer("service \($0)") }), at: 0)
        querier.ask(Self.name, .ptr, at: 0)
        let sent = querier.tick(at: .seconds(1)).queries
        #expect(sent.map(\.answers.count) == [24, 24, 12])
        #expect(sent.map(\.isTruncated) == [true, true, false])
        #expect(sent.map(\.questions.count) == [1, 0, 0])
        #expect(sent.allSatisfy { $0.encoded().count < 1_400 })
    }

    /// §5.2: four queries at 80, 85, 90 and 95 % of its life keep a record; then it expires.
    @Test func `a record is refreshed before it expires`() {
        var querier = Querier(seed: 1)
        querier.ask(Self.name, .ptr, at: 0)
        _ = run(&querier, to: 3_000)
        _ = querier.received(Self.response([Self.pointer("a", 100)]), at: .seconds(3_000))
        var expired: Int64?
        var sent: [Int64] = []
        while let due = querier.deadline, due <= .seconds(3_200) {
            let (queries, hasChanged) = querier.tick(at: due)
            if !queries.isEmpty { sent.append(due / 1_000_000_000) }
            if hasChanged { expired = due / 1_000_000_000 }
        }
        #expect(sent == [3_080, 3_085, 3_090, 3_095])
        #expect(expired == 3_100)
    }

    @Test func `a goodbye removes a record after a second, unless it is sent again`() {
        var querier = Querier(seed: 1)
        let key = RecordKey(Self.name, .ptr)
        let change1 = querier.received(Self.response([Self.pointer("a"), Self.pointer("b")]), at: 0)
        #expect(change1)
        _ = querier.received(Self.response([Self.pointer("a", 0), Self.pointer("b", 0)]), at: .seconds(5))
        _ = querier.received(Self.response([Self.pointer("b")]), at: .seconds(5))
        let change2 = querier.tick(at: .milliseconds(5_999)).hasChanged
        #expect(!change2)
        let change3 = querier.tick(at: .seconds(6)).hasChanged
        #expect(change3)
        #expect(querier.cache.records(key).map(\.data) == [Self.pointer("b").data])
    }

    /// §10.2: records of the same second belong to the same message stream and stay.
    @Test func `the cache-flush bit replaces older records of the name and type`() {
        var querier = Querier(seed: 1)
        let key = RecordKey(Self.name, .a)
        let records = (1...3).map { DNSRecord(name: Self.name, timeToLive: 120, data: .a(.init($0))).flushing(true) }
        _ = querier.received(Self.response([records[0]]), at: 0)
        _ = querier.received(Self.response([records[1]]), at: .seconds(10))
        _ = querier.received(Self.response([records[2]]), at: .milliseconds(10_500))
        _ = querier.tick(at: .seconds(11))
        #expect(Set(querier.cache.records(key).map(\.data)) == [records[1].data, records[2].data])
    }

    @Test func `queries, errors and other classes are not cached, and the cache is limited`() {
        var querier = Querier(seed: 1)
        var query = Self.response([Self.pointer("a")])
        query.isResponse = false
        let change4 = querier.received(query, at: 0)
        #expect(!change4)
        var error = Self.response([Self.pointer("a")])
        error.responseCode = .nameError
        let change5 = querier.received(error, at: 0)
        #expect(!change5)
        var chaos = Self.pointer("a")
        chaos.recordClass = 3
        let change6 = querier.received(Self.response([chaos]), at: 0)
        #expect(!change6)
        for name in 0..<10 {
            let records = (0..<600).map { number in
                DNSRecord(name: DNSName("\(name).local")!, timeToLive: 120, data: .a(.init(number)))
            }
            _ = querier.received(Self.response(records), at: 0)
        }
        let lists = (0..<10).map { querier.cache.records(RecordKey(DNSName("\($0).local")!, .a)).count }
        #expect(lists == [512, 512, 512, 512, 512, 512, 512, 512, 0, 0])
        let hasExpired = querier.tick(at: .seconds(121)).hasChanged
        #expect(hasExpired)
        let isCached = querier.received(Self.response([Self.pointer("a")]), at: .seconds(121))
        #expect(isCached)
    }
}
