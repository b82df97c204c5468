import AdaptableSession
import Testing

@Suite struct DownloadResumeDataTests {
    private let record = DownloadResumeRecord(
        url: "https://api.test/größe?a=1%20b", answeredBy: "https://cdn.test/x",
        fields: HeaderFields(fields: [.init(name: "X-A", value: "1: 2"), .init(name: "X-A", value: "line\u{7F}")]), received: 4_294_967_297,
        total: 5_000_000_000, validator: .entityTag("\"a%\n\""), file: "/tmp/with space/part\n.tmp", tail: "00ff",
        forbids: [.cellular, .constrained], timeout: 2.5)

    @Test func `What is written reads back`() throws {
        #expect(try DownloadResumeData.read(DownloadResumeData.write(record)) == record)
        for validator in [DownloadValidator.date("Sat, 01 Jan 2022 00:00:00 GMT"), .weak("W/\"x\"")] {
            var other = record
            other.validator = validator
            other.total = nil
            other.timeout = nil
            #expect(try DownloadResumeData.read(DownloadResumeData.write(other)) == other)
        }
    }

    @Test func `A change of any byte is noticed`() {
        let bytes = DownloadResumeData.write(record)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: ResumeDataError.self) { try DownloadResumeData.read(changed) }
        }
        for count in [0, 1, 26, 40, bytes.count - 1] {
            #expect(throws: ResumeDataError.self) { try DownloadResumeData.read(Array(bytes.prefix(count))) }
        }
    }

    @Test func `Other data is refused by name`() {
        #expect(throws: ResumeDataError.notOurs) { try DownloadResumeData.read(Array("bplist00 something\n".utf8)) }
        #expect(throws: ResumeDataError.notOurs) { try DownloadResumeData.read([]) }
        #expect(throws: ResumeDataError.otherKind(found: "AdaptableSession upload", wanted: "AdaptableSession download")) {
            try DownloadResumeData.read(Array("AdaptableSession upload 1\n".utf8))
        }
        #expect(throws: ResumeDataError.unknownVersion(found: 2, newest: 1)) {
            try DownloadResumeData.read(Array("AdaptableSession download 2\nanything".utf8))
        }
    }

    /// The form is a promise to later versions of this module.
    @Test func `The written form of version 1 stays`() {
        let record = DownloadResumeRecord(
            url: "http://a.test/x", answeredBy: "http://a.test/x", fields: ["X-A": "1"], received: 5, total: 9,
            validator: .entityTag("\"v\""), file: "/tmp/p", tail: "ab")
        let text = String(decoding: DownloadResumeData.write(record), as: UTF8.self)
        let expected = """
            AdaptableSession download 1
            url http://a.test/x
            answered-by http://a.test/x
            received 5
            file /tmp/p
            tail ab
            forbids 0
            total 9
            entity-tag "v"
            field X-A: 1
            sha256 
            """
        #expect(text.hasPrefix(expected))
        #expect(text.utf8.count == expected.utf8.count + 65)
    }
}
