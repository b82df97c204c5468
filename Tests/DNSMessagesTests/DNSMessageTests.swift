import InternetAddresses
import Testing

@testable import DNSMessages

struct DNSMessageTests {
    /// `dig +noedns api.test` by hand: RFC 1035 §4.1.1 header, then the question.
    static let plainQuery: [UInt8] =
        [0x12, 0x34, 0x01, 0x20, 0, 1, 0, 0, 0, 0, 0, 0] + [
            3, 0x61, 0x50, 0x69, 4, 0x74, 0x65, 0x73, 0x74, 0, 0, 1, 0, 1,
        ]

    @Test func `a query is parsed exactly`() throws {
        let message = try DNSMessage(parsing: Self.plainQuery)
        #expect(message.identifier == 0x1234)
        #expect(message.recursionDesired && message.authenticData && !message.isResponse)
        #expect(message.questions == [DNSQuestion(name: try #require(DNSName("aPi.test")), type: .a)])
        #expect(message.encoded() == Self.plainQuery)
    }

    @Test func `a response is encoded in the layout of RFC 1035`() throws {
        var message = try DNSMessage(parsing: Self.plainQuery)
        message.isResponse = true
        message.answers = [DNSRecord(name: message.questions[0].name, timeToLive: 7, data: .a(0xcb00_710a))]
        message.edns = .init(payloadSize: 1232, dnssecOK: true)
        let expected: [UInt8] =
            [0x12, 0x34, 0x81, 0x20, 0, 1, 0, 1, 0, 0, 0, 1] + [
                3, 0x61, 0x50, 0x69, 4, 0x74, 0x65, 0x73, 0x74, 0, 0, 1, 0, 1,
            ]
            + [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 7, 0, 4, 203, 0, 113, 10] + [0, 0, 41, 0x04, 0xd0, 0, 0, 0x80, 0, 0, 0]
        #expect(message.encoded() == expected)
    }

    @Test func `every kind of record is decoded as it was encoded`() throws {
        let name = try #require(DNSName("a.b.test"))
        let other = try #require(DNSName("c.b.test"))
        var message = DNSMessage()
        message.isResponse = true
        message.isAuthoritative = true
        message.recursionAvailable = true
        message.checkingDisabled = true
        message.responseCode = .badVersion
        message.questions = [DNSQuestion(name: name, type: .any, recordClass: DNSRecord.anyClass)]
        message.answers = [
            DNSRecord(name: name, timeToLive: 1, data: .cname(other)),
            DNSRecord(name: other, timeToLive: .max, data: .a(1)),
            DNSRecord(name: other, timeToLive: 2, data: .aaaa(IPv6Address(high: 1 << 63, low: 5))),
            DNSRecord(name: other, timeToLive: 0, data: .ptr(.root)),
        ]
        message.authorities = [
            DNSRecord(
                name: name.topLevel, timeToLive: 3,
                data: .soa(.init(server: other, mailbox: name, serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5)))
        ]
        message.additionals = [DNSRecord(name: .root, timeToLive: 3, data: .other(.init(rawValue: 16), [1, 65]))]
        message.edns = .init(payloadSize: 4096, version: 0, dnssecOK: true)
        #expect(try DNSMessage(parsing: message.encoded()) == message)
    }

    @Test func `compression never changes the letters of a name`() throws {
        var message = DNSMessage()
        message.questions = ["API.test", "api.TEST", "api.test", "www.api.test"].compactMap {
            DNSName($0).map { .init(name: $0, type: .a) }
        }
        let bytes = message.encoded()
        #expect(try DNSMessage(parsing: bytes) == message)
        // The fourth is a label and a pointer: 4 + 2 octets, then type and class.
        #expect(bytes.suffix(10).prefix(6) == [3, 0x77, 0x77, 0x77, 0xc0, 40])
    }

    @Test func `records that do not fit are left out whole and TC is set`() throws {
        var message = try DNSMessage(parsing: Self.plainQuery)
        message.edns = .init(payloadSize: 1232)
        message.answers = (0..<40).map {
            DNSRecord(name: message.questions[0].name, timeToLive: 0, data: .a(IPv4Address($0)))
        }
        let whole = message.encoded()
        #expect(message.encoded(limit: whole.count) == whole)
        let short = try DNSMessage(parsing: message.encoded(limit: whole.count - 1))
        #expect(
            short.isTruncated && short.answers.isEmpty && short.questions == message.questions
                && short.edns == message.edns)
    }

    private static func query(name: [UInt8]) -> [UInt8] { Array(plainQuery.prefix(12)) + name + [0, 1, 0, 1] }

    @Test(arguments: [
        // A pointer to itself, one forwards, two that chase each other.
        ([0xc0, 12], DNSMessageError.forwardPointer(at: 12)), ([0xc0, 14, 0], .forwardPointer(at: 12)),
        ([1, 0x61, 0xc0, 12], .forwardPointer(at: 14)), ([0x40], .reservedLabel(at: 12)),
        ([0x80], .reservedLabel(at: 12)),
        ([63, 1], .endsTooSoon), ([0xff], .forwardPointer(at: 12)),
    ])
    func `a name with a wrong pointer is refused`(name: [UInt8], error: DNSMessageError) {
        #expect(throws: error) { try DNSMessage(parsing: Self.query(name: name)) }
    }

    @Test func `a pointer cannot extend a name beyond 255 octets`() {
        // Three labels of 63, then a second name of 63 that points to them: 64 × 4 + 1 = 257.
        let long = [63] + [UInt8](repeating: 0x61, count: 63)
        var bytes = Array(Self.plainQuery.prefix(12))
        bytes[5] = 2
        bytes += long + long + long + [0, 0, 1, 0, 1] + long + [0xc0, 12, 0, 1, 0, 1]
        #expect(throws: DNSMessageError.nameTooLong) { try DNSMessage(parsing: bytes) }
    }

    @Test func `two OPT records are an error`() {
        let option: [UInt8] = [0, 0, 41, 0x04, 0xd0, 0, 0, 0, 0, 0, 0]
        var bytes = Self.plainQuery + option + option
        bytes[11] = 1
        #expect(throws: Never.self) { try DNSMessage(parsing: bytes) }
        bytes[11] = 2
        #expect(throws: DNSMessageError.malformedOption) { try DNSMessage(parsing: bytes) }
    }

    @Test func `the data of a record fills its stated length`() {
        var bytes = Self.plainQuery + [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 7, 0, 5, 1, 0x61, 0, 10, 1]
        bytes[7] = 1
        #expect(throws: DNSMessageError.wrongDataLength(.a)) { try DNSMessage(parsing: bytes) }
        bytes.replaceSubrange(28..<30, with: [0, 5])
        #expect(throws: DNSMessageError.wrongDataLength(.cname)) { try DNSMessage(parsing: bytes) }
    }

    /// A querier removes the bit and sends the record as a known answer, which no host could parse.
    @Test(arguments: [1, 28] as [UInt8]) func `an address with the cache-flush bit has the length of an address`(
        type: UInt8
    ) {
        var bytes = Self.plainQuery + [0xc0, 12, 0, type, 0x80, 1, 0, 0, 0, 7, 0, 5, 1, 2, 3, 4, 5]
        bytes[7] = 1
        #expect(throws: DNSMessageError.wrongDataLength(.init(rawValue: UInt16(type)))) {
            try DNSMessage(parsing: bytes)
        }
    }
}
