import DNSMessages
import InternetAddresses
import Testing

@testable import LocalServices

struct MulticastRecordTests {
    @Test func `the top bits of the class are flags`() throws {
        let name = try #require(DNSName("a.local"))
        let record = DNSRecord(name: name, timeToLive: 120, data: .a(0x0A00_0001))
        #expect(record.flushing(true).recordClass == 0x8001 && record.flushing(true).flushesCache)
        #expect(record.flushing(true).flushing(false) == record)
        #expect(DNSQuestion(name: name, type: .a, recordClass: 0x8001).prefersUnicast)
    }

    /// The names of a local SRV record may be compressed by others (RFC 6762 §18.14) and are compared without case.
    @Test func `a service location is read with a pointer and written without`() throws {
        let bytes: [UInt8] =
            [
                0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0x61, 5, 0x6c, 0x6f, 0x63, 0x61, 0x6c, 0, 0, 33, 0x80, 1, 0,
                0, 0,
            ]
            + [120, 0, 10, 0, 1, 0, 2, 0, 80, 1, 0x62, 0xc0, 14]
        let message = try DNSMessage(parsing: bytes)
        let target = try #require(DNSName("b.local"))
        #expect(message.answers.first?.data == .srv(.init(priority: 1, weight: 2, port: 80, target: target)))
        #expect(try DNSMessage(parsing: message.encoded()) == message)
        let other = DNSRecord(
            name: target, timeToLive: 1,
            data: .srv(.init(priority: 1, weight: 2, port: 80, target: try #require(DNSName("B.Local")))))
        #expect(message.answers.first?.hasSameData(as: other) == true)
    }

    /// The example of RFC 6762 §6.1 for a host with both address types: bits 1 and 28.
    @Test func `an NSEC record lists the types of a name`() throws {
        let record = DNSRecord.only([.a, .aaaa], at: try #require(DNSName("a.local")), timeToLive: 120)
        #expect(record.data == .other(.nsec, [1, 0x61, 5, 0x6c, 0x6f, 0x63, 0x61, 0x6c, 0, 0, 4, 0x40, 0, 0, 8]))
        #expect(record.flushesCache)
    }

    /// The example of RFC 6762 §8.2: 169.254.99.200 is earlier than 169.254.200.50.
    @Test func `records are compared as unsigned bytes`() throws {
        let name = try #require(DNSName("a.local"))
        let (early, late) = (
            DNSRecord(name: name, timeToLive: 1, data: .a(0xA9FE_63C8)).flushing(true),
            DNSRecord(name: name, timeToLive: 9, data: .a(0xA9FE_C832))
        )
        #expect(early.comparedBytes == [0, 1, 0, 1, 169, 254, 99, 200])
        #expect(early.comparedBytes.lexicographicallyPrecedes(late.comparedBytes))
    }
}
