internal import COpenSSL
import OpenSSLTLS

/// Builds a fatal alert as a separate record, for times at which OpenSSL cannot send one.
enum AlertRecord {
    private static let alertType: UInt8 = 21
    private static let fatal: UInt8 = 2

    /// Returns an unprotected alert (RFC 5246 §7.2); `minor` is the second byte of the record's version.
    static func plain(_ alert: UInt8, minor: UInt8 = 3) -> [UInt8] { [alertType, 3, minor, 0, 2, fatal, alert] }

    /// Returns the alert as TLS 1.3 protects it (RFC 8446 §5.2) with a traffic secret, as the `sequenceNumber`-th
    /// record.
    static func sealed(_ alert: UInt8, secret: [UInt8], suite: Suite, sequenceNumber: Int) throws(TLSError) -> [UInt8] {
        let key = try expand(secret, label: "key", length: suite.keyLength, suite)
        var nonce = try expand(secret, label: "iv", length: 12, suite)
        for index in 0..<8 { nonce[11 - index] ^= UInt8(truncatingIfNeeded: sequenceNumber >> (8 * index)) }
        let inner: [UInt8] = [fatal, alert, alertType]
        let header: [UInt8] = [23, 3, 3, 0, UInt8(inner.count + 16)]
        return header + (try seal(inner, header: header, key: key, nonce: nonce, suite))
    }

    /// A cipher suite of TLS 1.3 (RFC 8446 §B.4).
    enum Suite: UInt16 {
        case aes128 = 0x1301
        case aes256 = 0x1302
        case chacha20 = 0x1303

        var keyLength: Int {
            switch self {
            case .aes128: 16
            case .aes256, .chacha20: 32
            }
        }

        fileprivate var cipher: OpaquePointer? {
            switch self {
            case .aes128: unsafe EVP_aes_128_gcm()
            case .aes256: unsafe EVP_aes_256_gcm()
            case .chacha20: unsafe EVP_chacha20_poly1305()
            }
        }

        fileprivate var hash: OpaquePointer? {
            switch self {
            case .aes128, .chacha20: unsafe EVP_sha256()
            case .aes256: unsafe EVP_sha384()
            }
        }
    }

    /// Computes HKDF-Expand-Label (RFC 8446 §7.1). No key is longer than a hash, so one block of HKDF-Expand is enough
    /// (RFC 5869 §2.3).
    private static func expand(_ secret: [UInt8], label: String, length: Int, _ suite: Suite) throws(TLSError)
        -> [UInt8]
    {
        let label = Array("tls13 \(label)".utf8)
        let info = [0, UInt8(length), UInt8(label.count)] + label + [0, 1]
        var block = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        ErrorQueue.clear()
        guard unsafe HMAC(suite.hash, secret, CInt(secret.count), info, info.count, &block, nil) != nil else {
            throw ErrorQueue.error("deriving a key")
        }
        return Array(block.prefix(length))
    }

    private static func seal(
        _ plaintext: [UInt8], header: [UInt8], key: [UInt8], nonce: [UInt8], _ suite: Suite
    ) throws(TLSError) -> [UInt8] {
        ErrorQueue.clear()
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw ErrorQueue.error("creating a cipher") }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: plaintext.count)
        var tag = [UInt8](repeating: 0, count: 16)
        var count: CInt = 0
        guard unsafe EVP_EncryptInit_ex(context, suite.cipher, nil, key, nonce) == 1,
            unsafe EVP_EncryptUpdate(context, nil, &count, header, CInt(header.count)) == 1,
            unsafe EVP_EncryptUpdate(context, &output, &count, plaintext, CInt(plaintext.count)) == 1,
            unsafe EVP_EncryptFinal_ex(context, &tag, &count) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1
        else { throw ErrorQueue.error("sealing an alert") }
        return output + tag
    }
}
