/// A certificate with its private key and its intermediates, as plain bytes (DER).
package struct ServerIdentity: Hashable, Sendable {
    package let certificate: [UInt8]
    package let privateKey: [UInt8]
    /// The intermediates, nearest first, without the root.
    package let chain: [[UInt8]]

    package init(certificate: [UInt8], privateKey: [UInt8], chain: [[UInt8]]) {
        self.certificate = certificate
        self.privateKey = privateKey
        self.chain = chain
    }
}
