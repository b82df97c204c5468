import AdapterProtocol
import OpenSSLTLS
import Testing

@testable import TestServer

/// Independent vectors: RFC 1320's of MD4, and MS-NLMP §4.2's of NTLMv2.
struct NTLMTests {
    private static let challenge: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]
    private static let target: [UInt8] =
        [2, 0, 12, 0] + NTLMMessage.little("Domain") + [1, 0, 12, 0] + NTLMMessage.little("Server") + [0, 0, 0, 0]
    private static let clientData: [UInt8] =
        [1, 1] + [UInt8](repeating: 0, count: 14) + [UInt8](repeating: 0xAA, count: 8) + [0, 0, 0, 0] + target + [
            0, 0, 0, 0,
        ]
    private static let proof = NTLMProof(user: "User", domain: "Domain", password: "Password")

    @Test(arguments: [
        ("", "31d6cfe0d16ae931b73c59d7e0c089c0"), ("a", "bde52cb31de33e46245e05fbdbd6fb24"),
        ("abc", "a448017aaf21d8525fc10ae87aa6729d"), ("message digest", "d9130a8164549fe818874806e1c7014b"),
        ("abcdefghijklmnopqrstuvwxyz", "d79e1c308aa5bbcdeea8ed63df412da9"),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "043f8582f241db351ce627e153e7f0e4"),
        (String(repeating: "1234567890", count: 8), "e33b4ddc9c38f2199c3e7b164fcc0536"),
    ])
    func `MD4 gives RFC 1320's digests`(text: String, digest: String) {
        #expect(Digests.hexadecimal(MD4.digest(Array(text.utf8))) == digest)
    }

    @Test func `the key and the proof equal those in MS-NLMP`() {
        #expect(Digests.hexadecimal(MD4.digest(NTLMMessage.little("Password"))) == "a4f49c406510bdcab6824ee7c30fd852")
        #expect(Digests.hexadecimal(Self.proof.key) == "0c868a403bfd7a93a3001ef22ef02e3f")
        let value = Self.proof.value(challenge: Self.challenge, clientData: Self.clientData)
        #expect(Digests.hexadecimal(value) == "68cd0ab851e51c96aabc927bebef6a1c")
    }

    private static func authenticate(_ response: [UInt8], user: String = "User", unicode: Bool = true) -> [UInt8] {
        func text(_ text: String) -> [UInt8] { unicode ? NTLMMessage.little(text) : Array(text.utf8) }
        let parts = [[], response, text("Domain"), text(user), text("COMPUTER"), []]
        var message = NTLMMessage.signature + [3, 0, 0, 0]
        var at = 64
        for part in parts {
            let length = [UInt8(part.count & 255), UInt8(part.count >> 8)]
            message += length + length + [UInt8(at & 255), UInt8(at >> 8), 0, 0]
            at += part.count
        }
        message += [unicode ? 1 : 2, 0, 0, 0]
        return message + parts.joined()
    }

    @Test func `a response is verified by its proof`() throws {
        let proof = Self.proof.value(challenge: Self.challenge, clientData: Self.clientData)
        for unicode in [true, false] {
            guard
                case .authenticate(let answer) = NTLMMessage(
                    Self.authenticate(proof + Self.clientData, unicode: unicode))
            else {
                Issue.record("not understood")
                return
            }
            #expect(answer.user == "User" && answer.domain == "Domain")
            #expect(NTLMProof.verify(answer, challenge: Self.challenge, password: "Password") == .right)
            #expect(NTLMProof.verify(answer, challenge: Self.challenge, password: "password") == .wrong)
            #expect(NTLMProof.verify(answer, challenge: [1, 2, 3, 4, 5, 6, 7, 8], password: "Password") == .wrong)
        }
        guard case .authenticate(let old) = NTLMMessage(Self.authenticate([UInt8](repeating: 1, count: 24))) else {
            return
        }
        #expect(NTLMProof.verify(old, challenge: Self.challenge, password: "Password") == .notVersion2)
    }

    @Test func `bytes that are not a client's message are refused`() {
        let whole = Self.authenticate(Self.clientData)
        for count in 0..<whole.count { _ = NTLMMessage(Array(whole.prefix(count))) }
        #expect(NTLMMessage(Array(whole.prefix(60))) == nil)
        var beyond = whole
        beyond[24] = 0xFF
        beyond[25] = 0xFF
        #expect(NTLMMessage(beyond) == nil)
        #expect(NTLMMessage(NTLMMessage.challenge(Self.challenge, domain: "LAB", asked: 1)) == nil)
    }
}
