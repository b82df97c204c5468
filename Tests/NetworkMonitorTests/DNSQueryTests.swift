import InternetAddresses
import NetworkMonitor
import Testing

/// Messages are built here byte by byte from RFC 1035 §4, so that parser and writer cannot contain the same error.
@Suite struct DNSQueryTests {
    private static let a: UInt16 = 1, cname: UInt16 = 5, aaaa: UInt16 = 28

    private static func name(_ text: String) -> [UInt8] {
        text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    private static func pair(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }

    private static func record(_ owner: [UInt8], _ type: UInt16, _ data: [UInt8]) -> [UInt8] {
        owner + pair(type) + pair(1) + [0, 0, 0, 60] + pair(UInt16(data.count)) + data
    }

    /// Returns a reply to `question` with these records and this code.
    private static func reply(
        _ question: DNSQuery, name: String = "www.example.test", type: UInt16 = a, code: UInt8 = 0, flags: UInt8 = 0x84,
        _ records: [[UInt8]] = []
    ) -> [UInt8] {
        Array(question.message.prefix(2)) + [flags, 0x80 | code] + pair(1) + pair(UInt16(records.count)) + pair(0)
            + pair(0)
            + Self.name(name) + pair(type) + pair(1) + records.flatMap(\.self)
    }

    private func question(_ name: String = "www.example.test", v6: Bool = false) throws -> DNSQuery {
        try #require(DNSQuery(name, v6: v6))
    }

    /// The name at byte 12, as a pointer.
    private static let same: [UInt8] = [0xC0, 12]

    @Test func `a query has one name of one type, requests recursion and has a random id`() throws {
        let first = try question()
        let rest = Array(first.message.dropFirst(2))
        // RD, one question, nothing else; a system that trusts its servers may set AD as well.
        #expect(rest[0] == 1)
        #expect(rest[1] & ~0x20 == 0)
        #expect(Array(rest[2...]) == [0, 1, 0, 0, 0, 0, 0, 0] + Self.name("www.example.test") + [0, 1, 0, 1])
        #expect(try question(v6: true).message.suffix(4) == [0, 28, 0, 1])
        let numbers = try (0..<20).map { _ in Array(try question().message.prefix(2)) }
        #expect(Set(numbers).count > 10)
    }

    @Test func `an invalid name is rejected`() {
        #expect(DNSQuery(String(repeating: "a", count: 64) + ".test", v6: false) == nil)
        #expect(DNSQuery("a..test", v6: false) == nil)
        #expect(DNSQuery(Array(repeating: "abcdefgh", count: 40).joined(separator: "."), v6: false) == nil)
    }

    @Test func `addresses are found in order without duplicates, regardless of the name's case`() throws {
        let asked = try question()
        let message = Self.reply(
            asked, name: "WWW.Example.test",
            [
                Self.record(Self.same, Self.a, [192, 0, 2, 7]), Self.record(Self.same, Self.a, [192, 0, 2, 1]),
                Self.record(Self.same, Self.a, [192, 0, 2, 7]),
            ])
        #expect(asked.verdict(on: message) == .found([.v4(0xC000_0207), .v4(0xC000_0201)]))
        let six = try question(v6: true)
        let address = [UInt8](repeating: 0x20, count: 16)
        #expect(
            six.verdict(on: Self.reply(six, type: Self.aaaa, [Self.record(Self.same, Self.aaaa, address)]))
                == .found([try #require(IPAddress(bytes: address))]))
    }

    @Test func `aliases are followed within the reply in any order, and records of other names are ignored`() throws {
        let asked = try question()
        let chain = [
            Self.record(Self.name("b.test"), Self.a, [192, 0, 2, 2]),
            Self.record(Self.name("evil.test"), Self.a, [6, 6, 6, 6]),
            Self.record(Self.name("a.test"), Self.cname, Self.name("b.test")),
            Self.record(Self.same, Self.cname, Self.name("a.test")),
        ]
        #expect(asked.verdict(on: Self.reply(asked, chain)) == .found([.v4(0xC000_0202)]))
        #expect(
            asked.verdict(on: Self.reply(asked, [Self.record(Self.same, Self.cname, Self.name("c.test"))]))
                == .noAddress)
        let loop = [
            Self.record(Self.same, Self.cname, Self.name("a.test")),
            Self.record(Self.name("a.test"), Self.cname, Self.name("www.example.test")),
        ]
        #expect(asked.verdict(on: Self.reply(asked, loop)) == .noAddress)
    }

    @Test func `errors about the name and about the server are distinguished`() throws {
        let asked = try question()
        #expect(asked.verdict(on: Self.reply(asked)) == .noAddress)
        #expect(asked.verdict(on: Self.reply(asked, code: 3)) == .noSuchName)
        for code: UInt8 in [1, 2, 4, 5] { #expect(asked.verdict(on: Self.reply(asked, code: code)) == .refused) }
        // Without the question, as some servers refuse.
        #expect(asked.verdict(on: Array(asked.message.prefix(2)) + [0x80, 0x85, 0, 0, 0, 0, 0, 0, 0, 0]) == .refused)
        #expect(asked.verdict(on: Self.reply(asked, flags: 0x86)) == .cut)
    }

    @Test func `a reply to another query is ignored`() throws {
        let asked = try question()
        let right = Self.reply(asked, [Self.record(Self.same, Self.a, [192, 0, 2, 1])])
        #expect(asked.verdict(on: right) == .found([.v4(0xC000_0201)]))
        var number = right
        number[1] ^= 1
        #expect(asked.verdict(on: number) == .foreign)
        let records = [Self.record(Self.same, Self.a, [192, 0, 2, 1])]
        #expect(asked.verdict(on: Self.reply(asked, name: "xxx.example.test", records)) == .foreign)
        #expect(asked.verdict(on: Self.reply(asked, type: Self.aaaa, records)) == .foreign)
        // Our own query, sent back.
        #expect(asked.verdict(on: asked.message) == .foreign)
    }

    @Test func `a truncated or garbled reply yields no addresses and does not crash`() throws {
        let asked = try question()
        let right = Self.reply(
            asked,
            [
                Self.record(Self.same, Self.cname, Self.name("a.test")),
                Self.record(Self.name("a.test"), Self.a, [192, 0, 2, 1]),
            ])
        for length in 0..<right.count {
            let verdict = asked.verdict(on: Array(right.prefix(length)))
            #expect(verdict == .foreign || verdict == .broken, "\(length) bytes: \(verdict)")
        }
        // A name that points to itself, and one that points beyond the end.
        for owner: [UInt8] in [[0xC0, 34], [0xFF, 0xFF]] {
            #expect(asked.verdict(on: Self.reply(asked, [Self.record(owner, Self.a, [192, 0, 2, 1])])) == .broken)
        }
        var generator = Seeded()
        for _ in 0..<20_000 {
            var bytes = right
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                bytes[Int.random(in: 2..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if case .found(let addresses) = asked.verdict(on: bytes) { #expect(!addresses.isEmpty) }
        }
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64 = 1
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }
}
