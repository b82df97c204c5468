import AdaptableSession
import OpenSSLTLS
import Testing

@Suite struct DownloadResumeDataTests {
    private let key = ResumeKey(bytes: Array(0..<32))
    private let record = DownloadResumeRecord(
        url: "https://api.test/größe?a=1%20b", respondedBy: "https://cdn.test/x",
        fields: HeaderFields(fields: [.init(name: "X-A", value: "1: 2"), .init(name: "X-A", value: "line\u{7F}")]),
        received: 4_294_967_297,
        total: 5_000_000_000, validator: .entityTag("\"a%\n\""), file: "/tmp/with space/part\n.tmp", tail: "00ff",
        forbids: [.cellular, .constrained], timeout: 2.5)

    @Test func `written data is read back unchanged`() throws {
        #expect(try DownloadResumeData.read(DownloadResumeData.write(record, key: key), key: key) == record)
        for validator in [DownloadValidator.date("Sat, 01 Jan 2022 00:00:00 GMT"), .weak("W/\"x\"")] {
            var other = record
            other.validator = validator
            other.total = nil
            other.timeout = nil
            #expect(try DownloadResumeData.read(DownloadResumeData.write(other, key: key), key: key) == other)
        }
    }

    @Test func `a change of any byte is detected`() {
        let bytes = DownloadResumeData.write(record, key: key)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: ResumeDataError.self) { try DownloadResumeData.read(changed, key: key) }
            // A letter in the other case: hexadecimal parses to the same value.
            changed[index] ^= 0x21
            #expect(throws: ResumeDataError.self) { try DownloadResumeData.read(changed, key: key) }
        }
        for count in [0, 1, 26, 40, bytes.count - 1] {
            #expect(throws: ResumeDataError.self) { try DownloadResumeData.read(Array(bytes.prefix(count)), key: key) }
        }
    }

    @Test func `other data is refused with the reason`() {
        #expect(throws: ResumeDataError.notOurs) {
            try DownloadResumeData.read(Array("bplist00 something\n".utf8), key: key)
        }
        #expect(throws: ResumeDataError.notOurs) { try DownloadResumeData.read([], key: key) }
        #expect(
            throws: ResumeDataError.otherKind(found: "AdaptableSession upload", wanted: "AdaptableSession download")
        ) {
            try DownloadResumeData.read(Array("AdaptableSession upload 1\n".utf8), key: key)
        }
        #expect(throws: ResumeDataError.unknownVersion(found: 3, known: 2)) {
            try DownloadResumeData.read(Array("AdaptableSession download 3\nanything".utf8), key: key)
        }
    }

    /// An attacker who can write any line and knows the HMAC algorithm, but not the key.
    @Test func `a changed line with an HMAC of another key is refused`() {
        var forged = record
        forged.file = "/home/ann/.ssh/authorized_keys"
        let other = ResumeKey(bytes: Array(1..<33))
        #expect(throws: ResumeDataError.damaged) {
            try DownloadResumeData.read(DownloadResumeData.write(forged, key: other), key: key)
        }
        let none = ResumeKey(bytes: [])
        #expect(throws: ResumeDataError.damaged) {
            try DownloadResumeData.read(DownloadResumeData.write(forged, key: none), key: key)
        }
        let sealed = DownloadResumeData.write(record, key: key)
        let body = Array(sealed.dropLast("hmac-sha256 \n".utf8.count + 64))
        // Version 1 ended like this, and any program can create it.
        let digest = Array("sha256 \(Digests.hexadecimal(Digests.sha256(body)))\n".utf8)
        #expect(throws: ResumeDataError.damaged) { try DownloadResumeData.read(body + digest, key: key) }
        let first = Array("AdaptableSession download 1\n".utf8)
        let old = first + body.dropFirst(first.count)
        #expect(throws: ResumeDataError.unknownVersion(found: 1, known: 2)) {
            try DownloadResumeData.read(
                old + Array("sha256 \(Digests.hexadecimal(Digests.sha256(old)))\n".utf8), key: key)
        }
        #expect(throws: ResumeDataError.damaged) { try DownloadResumeData.read(body, key: key) }
        // One more line with the old HMAC.
        let more = body + Array("file /tmp/other\n".utf8) + sealed.suffix(sealed.count - body.count)
        #expect(throws: ResumeDataError.damaged) { try DownloadResumeData.read(more, key: key) }
    }

    /// The format is a promise to later versions of this module.
    @Test func `the written form of version 2 does not change`() {
        let record = DownloadResumeRecord(
            url: "http://a.test/x", respondedBy: "http://a.test/x", fields: ["X-A": "1"], received: 5, total: 9,
            validator: .entityTag("\"v\""), file: "/tmp/p", tail: "ab")
        let text = String(decoding: DownloadResumeData.write(record, key: key), as: UTF8.self)
        let expected = """
            AdaptableSession download 2
            url http://a.test/x
            answered-by http://a.test/x
            received 5
            file /tmp/p
            tail ab
            forbids 0
            total 9
            entity-tag "v"
            field X-A: 1
            hmac-sha256 
            """
        #expect(text.hasPrefix(expected))
        #expect(text.utf8.count == expected.utf8.count + 65)
    }
}
