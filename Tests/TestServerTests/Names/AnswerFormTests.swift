import Scenario
import Testing

@testable import TestServer

/// The bytes of wrong answers: each wrong in the way that was asked for and in no other, whatever the query.
struct AnswerFormTests {
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

    private func form(_ flaw: NameReply.Flaw?, isStream: Bool = false) -> AnswerForm {
        AnswerForm(flaw: flaw, isStream: isStream, limit: isStream ? 65535 : 512)
    }

    @Test func `without a flaw it is the response`() throws {
        let response = try response()
        #expect(form(nil).bytes(of: response) == response.encoded())
        #expect(form(nil).words == nil)
    }

    @Test func `one thing is wrong and the rest is right`() throws {
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
    func `what cannot be read cannot be read, with or without EDNS and answers`(hasEDNS: Bool, hasAnswers: Bool) throws {
        let right = try response {
            if !hasEDNS { $0.edns = nil }
            if !hasAnswers { $0.answers = [] }
        }
        for flaw in [NameReply.Flaw.malformed, .garbage] {
            let bytes = form(flaw).bytes(of: right)
            #expect(Array(bytes.prefix(2)) == [0x12, 0x34])
            #expect(throws: DNSMessageError.self) { try DNSMessage(parsing: bytes) }
        }
    }

    @Test func `an oversized answer is still a message`() throws {
        let bytes = form(.oversized).bytes(of: try response())
        #expect(bytes.count >= 4000 && bytes.count < 4500)
        let message = try DNSMessage(parsing: bytes)
        #expect(!message.isTruncated && message.answers.count == 1)
    }

    @Test func `faults of datagrams do not show on a connection`() throws {
        let right = try response()
        for flaw in [NameReply.Flaw.truncated, .oversized, .fromElsewhere] {
            let form = form(flaw, isStream: true)
            #expect(form.bytes(of: right) == right.encoded() && form.words == nil && !form.isFromElsewhere)
        }
        #expect(form(.fromElsewhere).isFromElsewhere)
    }

    /// The longest names a query can have, so that what is added to them still fits.
    @Test(arguments: NameReply.Flaw.allCases)
    func `every flaw takes every name`(flaw: NameReply.Flaw) throws {
        let long = DNSName(labels: Array(repeating: [UInt8](repeating: 0x61, count: 49), count: 5))
        for name in [DNSName.root, long] {
            let response = try response {
                $0.questions = [DNSQuestion(name: name, type: .a)]
                $0.answers = []
            }
            #expect(form(flaw).bytes(of: response).count >= DNSMessage.headerLength)
        }
    }
}
