package import Foundation
import OpenSSLTLS

/// The client side of NTLMv2 (MS-NLMP §3.1.5.1): a first message, the server's challenge and a second message, all on
/// one connection. Signing and sealing, which HTTP does not use, and channel binding are not implemented.
package struct NTLMClient: Hashable, Sendable {
    package enum Failure: Error, Hashable, Sendable {
        /// The server's token is not a CHALLENGE_MESSAGE, or requires a version before NTLMv2.
        case malformedChallenge
    }

    private enum Flag {
        static let unicode: UInt32 = 0x1
        static let requestTarget: UInt32 = 0x4
        static let ntlm: UInt32 = 0x200
        static let alwaysSign: UInt32 = 0x8000
        static let extendedSecurity: UInt32 = 0x8_0000
        static let targetInformation: UInt32 = 0x80_0000
        static let bits128: UInt32 = 0x2000_0000
        static let bits56: UInt32 = 0x8000_0000
    }

    private static let signature = Array("NTLMSSP\0".utf8)

    package let user: String
    package let domain: String
    private let password: String

    /// Splits `DOMAIN\user` into domain and user. A user with `@` is a principal name, which is sent unchanged with an
    /// empty domain.
    package init(user: String, password: String) {
        let parts = user.split(separator: "\\", maxSplits: 1, omittingEmptySubsequences: false)
        domain = parts.count == 2 ? String(parts[0]) : ""
        self.user = parts.count == 2 ? String(parts[1]) : user
        self.password = password
    }

    /// The NEGOTIATE_MESSAGE, which is the same for every user.
    package static var negotiate: [UInt8] {
        let flags =
            Flag.unicode | Flag.requestTarget | Flag.ntlm | Flag.alwaysSign | Flag.extendedSecurity | Flag.bits128
            | Flag.bits56
        // Domain and workstation are omitted: their lengths and offsets are zero.
        return signature + little(1, 4) + little(UInt64(flags), 4) + [UInt8](repeating: 0, count: 16)
    }

    /// The result of `NTOWFv2` (§3.3.2).
    package var key: [UInt8] {
        MessageAuthentication.hmacMD5(
            key: MD4.digest(NTLMClient.text(password)), NTLMClient.text(user.uppercased() + domain))
    }

    /// Returns the AUTHENTICATE_MESSAGE for the server's challenge. `clientChallenge` has 8 random bytes.
    package func authenticate(challenge: [UInt8], clientChallenge: [UInt8], now: Date) throws(Failure) -> [UInt8] {
        guard challenge.count >= 48, challenge.starts(with: NTLMClient.signature),
            NTLMClient.number(challenge, 8, 4) == 2
        else {
            throw .malformedChallenge
        }
        let flags = UInt32(NTLMClient.number(challenge, 20, 4))
        guard flags & Flag.targetInformation != 0, let facts = NTLMClient.part(challenge, 40) else {
            throw .malformedChallenge
        }
        let serverChallenge = Array(challenge[24..<32])
        let serverTime = try NTLMClient.time(in: facts)
        // §3.1.5.1.2: a server that sends its time expects the same time back, no LMv2 response, and an integrity code.
        let time = serverTime ?? NTLMClient.fileTime(now)
        var notified = facts
        // MsvAvFlags: the message carries an integrity code.
        if serverTime != nil { notified = Array(facts.dropLast(4)) + [6, 0, 4, 0, 2, 0, 0, 0] + [0, 0, 0, 0] }
        let clientData: [UInt8] =
            [1, 1, 0, 0, 0, 0, 0, 0] + time + clientChallenge + [0, 0, 0, 0] + notified + [0, 0, 0, 0]
        let proof = MessageAuthentication.hmacMD5(key: key, serverChallenge + clientData)
        let lanManager =
            serverTime == nil
            ? MessageAuthentication.hmacMD5(key: key, serverChallenge + clientChallenge) + clientChallenge
            : [UInt8](repeating: 0, count: 24)
        let parts: [[UInt8]] = [lanManager, proof + clientData, NTLMClient.text(domain), NTLMClient.text(user), [], []]
        let answered =
            flags & (Flag.unicode | Flag.ntlm | Flag.alwaysSign | Flag.extendedSecurity | Flag.bits128 | Flag.bits56)
            | Flag.unicode
        var head = NTLMClient.signature + NTLMClient.little(3, 4)
        // The fields of the six parts, the flags, the version (8 bytes) and the integrity code (16 bytes) precede the
        // data.
        var offset = 88
        for part in parts {
            head +=
                NTLMClient.little(UInt64(part.count), 2) + NTLMClient.little(UInt64(part.count), 2)
                + NTLMClient.little(UInt64(offset), 4)
            offset += part.count
        }
        head += NTLMClient.little(UInt64(answered | Flag.targetInformation), 4) + [UInt8](repeating: 0, count: 8)
        let body = Array(parts.joined())
        let empty = [UInt8](repeating: 0, count: 16)
        guard serverTime != nil else { return head + empty + body }
        let session = MessageAuthentication.hmacMD5(key: key, proof)
        let code = MessageAuthentication.hmacMD5(key: session, NTLMClient.negotiate + challenge + head + empty + body)
        return head + code + body
    }

    /// Returns MsvAvTimestamp from the target information (§2.2.2.1).
    private static func time(in facts: [UInt8]) throws(Failure) -> [UInt8]? {
        var at = 0
        var found: [UInt8]?
        while at + 4 <= facts.count {
            let kind = number(facts, at, 2)
            let length = Int(number(facts, at + 2, 2))
            guard at + 4 + length <= facts.count else { throw .malformedChallenge }
            if kind == 0 {
                guard at + 4 == facts.count else { throw .malformedChallenge }
                return found
            }
            if kind == 7, length == 8 { found = Array(facts[at + 4..<at + 12]) }
            at += 4 + length
        }
        throw .malformedChallenge
    }

    /// Converts a date to units of 100 ns since 1601.
    private static func fileTime(_ date: Date) -> [UInt8] {
        let units = (date.timeIntervalSince1970 + 11_644_473_600) * 10_000_000
        // The clock may be wrong by any amount: clamp instead of trapping.
        return little(units > 0 ? UInt64(min(units, 9e18)) : 0, 8)
    }

    private static func text(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(UInt64(0)) { $0 | UInt64(bytes[at + $1]) << ($1 * 8) }
    }

    private static func part(_ bytes: [UInt8], _ at: Int) -> [UInt8]? {
        let length = Int(number(bytes, at, 2))
        let offset = Int(number(bytes, at + 4, 4))
        guard offset <= bytes.count, length <= bytes.count - offset else { return nil }
        return Array(bytes[offset..<offset + length])
    }
}
