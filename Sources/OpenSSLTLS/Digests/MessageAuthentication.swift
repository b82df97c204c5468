internal import COpenSSL

/// Digests that only the holder of a key can create (HMAC, RFC 2104).
package enum MessageAuthentication {
    /// Returns HMAC-MD5, the keyed digest of NTLMv2.
    package static func hmacMD5(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] { hmac(.md5, key, bytes) }

    package static func hmacSHA256(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] { hmac(.sha256, key, bytes) }

    private static func hmac(_ algorithm: DigestAlgorithm, _ key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        var isDone = false
        let result = unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { output, count in
            var length: CUnsignedInt = 0
            isDone =
                unsafe HMAC(
                    algorithm.type, key, CInt(key.count), bytes, bytes.count, output.baseAddress, &length) != nil
            count = Int(length)
        }
        precondition(isDone, "this machine's OpenSSL refuses the keyed digest: \(ErrorQueue.drainText())")
        return result
    }

    /// Compares in constant time, so that a correct code cannot be guessed byte by byte.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return unsafe CRYPTO_memcmp(one, other, one.count) == 0
    }
}
