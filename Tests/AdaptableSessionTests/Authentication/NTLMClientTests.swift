import AdaptableSession
import Foundation
import OpenSSLTLS
import Testing

/// Test vectors of MS-NLMP §4.2.4: user, password, challenges, and a time of zero, which means 1601.
struct NTLMClientTests {
    private static let client = NTLMClient(user: #"Domain\User"#, password: "Password")
    private static let epoch = Date(timeIntervalSince1970: -11_644_473_600)
    private static let mine = [UInt8](repeating: 0xAA, count: 8)

    private static func little(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    private static func challenge(time: [UInt8]? = nil) -> [UInt8] {
        var facts: [UInt8] = [2, 0, 12, 0] + little("Domain") + [1, 0, 12, 0] + little("Server")
        if let time { facts += [7, 0, 8, 0] + time }
        facts += [0, 0, 0, 0]
        let length = UInt8(facts.count)
        return Array("NTLMSSP\0".utf8) + [2, 0, 0, 0] + [0, 0, 0, 0, 48, 0, 0, 0] + [0x33, 0x82, 0x8A, 0xE2]
            + [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef] + [UInt8](repeating: 0, count: 8) + [
                length, 0, length, 0, 48, 0, 0, 0,
            ] + facts
    }

    private static func part(_ message: [UInt8], _ at: Int) -> [UInt8] {
        let length = Int(message[at]) | Int(message[at + 1]) << 8
        let offset = Int(message[at + 4]) | Int(message[at + 5]) << 8
        return Array(message[offset..<offset + length])
    }

    @Test func `the key and both proofs equal those of the specification`() throws {
        #expect(Digests.hexadecimal(Self.client.key) == "0c868a403bfd7a93a3001ef22ef02e3f")
        let message = try Self.client.authenticate(
            challenge: Self.challenge(), clientChallenge: Self.mine, now: Self.epoch)
        #expect(Digests.hexadecimal(Array(Self.part(message, 20).prefix(16))) == "68cd0ab851e51c96aabc927bebef6a1c")
        #expect(Digests.hexadecimal(Self.part(message, 12)) == "86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa")
        #expect(Self.part(message, 28) == Self.little("Domain"))
        #expect(Self.part(message, 36) == Self.little("User"))
        // Without a time the message integrity code is omitted.
        #expect(message[72..<88].allSatisfy { $0 == 0 })
    }

    @Test(arguments: [.infinity, -.infinity, .nan, .greatestFiniteMagnitude, 1e15] as [Double])
    func `an extreme clock value still produces a message`(_ seconds: Double) throws {
        let now = Date(timeIntervalSince1970: seconds)
        _ = try Self.client.authenticate(challenge: Self.challenge(), clientChallenge: Self.mine, now: now)
    }

    @Test func `the server's time is returned with an integrity code over the three messages`() throws {
        let time: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let challenge = Self.challenge(time: time)
        let message = try Self.client.authenticate(challenge: challenge, clientChallenge: Self.mine, now: Self.epoch)
        let response = Self.part(message, 20)
        #expect(Array(response[24..<32]) == time)
        #expect(Self.part(message, 12) == [UInt8](repeating: 0, count: 24))
        var bare = message
        bare.replaceSubrange(72..<88, with: [UInt8](repeating: 0, count: 16))
        let session = MessageAuthentication.hmacMD5(key: Self.client.key, Array(response.prefix(16)))
        #expect(
            Array(message[72..<88])
                == MessageAuthentication.hmacMD5(key: session, NTLMClient.negotiate + challenge + bare))
        // MsvAvFlags, which announces the integrity code, is one of the AV pairs.
        #expect(response.suffix(16) == [6, 0, 4, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test func `a user principal name is not split`() {
        let client = NTLMClient(user: "ann@lab.test", password: "")
        #expect(client.user == "ann@lab.test" && client.domain == "")
    }

    @Test func `an invalid or truncated token is refused`() {
        let whole = Self.challenge(time: [0, 0, 0, 0, 0, 0, 0, 0])
        for count in 0..<whole.count {
            #expect(throws: NTLMClient.Failure.malformedChallenge) {
                _ = try Self.client.authenticate(
                    challenge: Array(whole.prefix(count)), clientChallenge: Self.mine, now: Self.epoch)
            }
        }
    }
}
