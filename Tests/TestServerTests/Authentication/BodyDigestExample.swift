import OpenSSLTLS

enum BodyDigestExample {
    static func md5(_ text: String) -> [UInt8] { Digests.md5(Array(text.utf8)) }
}
