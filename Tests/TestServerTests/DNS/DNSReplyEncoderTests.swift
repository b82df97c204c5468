import DNSMessages
import InternetAddresses
import ScenarioLanguage
import Testing

@testable import TestServer

/// The bytes of malformed replies: each is malformed in exactly the specified way, for any query.
struct DNSReplyEncoderTests {
    private func response(_ change: (inout DNSMessage) -> Void = { _ in }) throws -> DNSMessage {
        var message = DNSMessage()
        message.identifier = 0x1234
        message.isResponse = true
        message.questions = [DNSQuestion(name: try #require(DNSName("api.test")), type: .a)]
        message.answers = [DNSRecord(name: try #require(DNSName("api.test")), timeToLive: 0, data: .a(0xc000_0201))]
        message.edns = .init(payloadSize: 1232)
        change(&message)
        return message
    }

    private func form(_ malformation: DNSReply.Malformation?, isStream: Bool = false) -> DNSReplyEncoder {
        DNSReplyEncoder(malformation: malformation, isStream: isStream, limit: isStream ? 65535 : 512)
    }

    @Test func `without a malformation it is the response`() throws {
        let response = try response()
        #expect(form(nil).bytes(of: response) == response.encoded())
        #expect(form(nil).description == nil)
    }

    @Test func `one part is wrong and the rest is right`() throws {
        let right = try response()
        var forged = try DNSMessage(parsing: form(.wrongIdentifier).bytes(of: right))
        #expect(forged.identifier != right.identifier)
        forged.identifier = right.identifier
        #expect(forged == right)
        var other = try DNSMessage(parsing: form(.wrongQuestion).bytes(of: right))
        #expect(other.questions != right.questions)
        other.questions = right.questions
        #expect(other == right)
        let cut = try DNSMessage(parsing: form(.truncated).bytes(of: right))
        #expect(cut.isTruncated && cut.answers.isEmpty && cut.edns == right.edns)
    }

    @Test(arguments: [false, true], [false, true])
    func `a malformed reply cannot be parsed, with or without EDNS and records`(hasEDNS: Bool, hasReplies: Bool) throws
    {
        let right = try response {
            if !hasEDNS { $0.edns = nil }
            if !hasReplies { $0.answers = [] }
        }
        for malformation in [DNSReply.Malformation.malformed, .garbage] {
            let bytes = form(malformation).bytes(of: right)
            #expect(Array(bytes.prefix(2)) == [0x12, 0x34])
            #expect(throws: DNSMessageError.self) { try DNSMessage(parsing: bytes) }
        }
    }

    @Test func `an oversized reply is still a message`() throws {
        let bytes = form(.oversized).bytes(of: try response())
        #expect(bytes.count >= 4000 && bytes.count < 4500)
        let message = try DNSMessage(parsing: bytes)
        #expect(!message.isTruncated && message.answers.count == 1)
    }

    @Test func `malformations of datagrams are ignored on a connection`() throws {
        let right = try response()
        for malformation in [DNSReply.Malformation.truncated, .oversized, .fromElsewhere] {
            let form = form(malformation, isStream: true)
            #expect(form.bytes(of: right) == right.encoded() && form.description == nil && !form.isFromElsewhere)
        }
        #expect(form(.fromElsewhere).isFromElsewhere)
    }

    /// The longest names a query can have, so that the added bytes still fit.
    @Test(arguments: DNSReply.Malformation.allCases)
    func `every malformation works with every name`(malformation: DNSReply.Malformation) throws {
        let long = DNSName(labels: Array(repeating: [UInt8](repeating: 0x61, count: 49), count: 5))
        for name in [DNSName.root, long] {
            let response = try response {
                $0.questions = [DNSQuestion(name: name, type: .a)]
                $0.answers = []
            }
            #expect(form(malformation).bytes(of: response).count >= DNSMessage.headerLength)
        }
    }
}
