internal import COpenSSL

/// The digests that HTTP authentication needs (RFC 7616 §3.2).
package enum Digests {
    package static func md5(_ bytes: [UInt8]) -> [UInt8] { unsafe digest(bytes, EVP_md5()) }

    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { unsafe digest(bytes, EVP_sha256()) }

    /// Lower-case hexadecimal, as HTTP authentication writes a digest.
    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func digest(_ bytes: [UInt8], _ algorithm: OpaquePointer?) -> [UInt8] {
        var isDone = false
        let result = unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { output, count in
            var length: CUnsignedInt = 0
            isDone = unsafe EVP_Digest(bytes, bytes.count, output.baseAddress, &length, algorithm, nil) == 1
            count = Int(length)
        }
        // Fails only where the administrator's OpenSSL configuration takes MD5 away (FIPS).
        precondition(isDone, "this machine's OpenSSL refuses the digest: \(ErrorQueue.takeText())")
        return result
    }
}
