internal import COpenSSL

/// Digests of bytes in memory.
package enum Digests {
    package static func md5(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, .md5) }

    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, .sha256) }

    /// Returns lower-case hexadecimal, the form of digests in HTTP authentication.
    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    package static func digest(_ bytes: [UInt8], _ algorithm: DigestAlgorithm) -> [UInt8] {
        var isDone = false
        let result = unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { output, count in
            var length: CUnsignedInt = 0
            isDone = unsafe EVP_Digest(bytes, bytes.count, output.baseAddress, &length, algorithm.type, nil) == 1
            count = Int(length)
        }
        // Fails only if the administrator's OpenSSL configuration disables MD5 (FIPS).
        precondition(isDone, "this machine's OpenSSL refuses the digest: \(ErrorQueue.drainText())")
        return result
    }
}
