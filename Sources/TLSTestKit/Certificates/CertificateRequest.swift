/// The contents of a certificate to create, and its signer.
package struct CertificateRequest: Hashable, Sendable {
    package enum Signer: Hashable, Sendable {
        case authority
        /// A new intermediate authority, which becomes part of the chain that the server sends.
        case intermediate
        /// The certificate's own key: it is self-signed.
        case itself
    }

    package enum Usage: Hashable, Sendable {
        case server, client
    }

    package enum Key: Hashable, Sendable {
        case p256
        case rsa(bits: Int)
    }

    package var commonName: String
    package var dnsNames: [String]
    /// IPv4 and IPv6 addresses as text.
    package var addresses: [String]
    package var validity: CertificateValidity
    package var signer: Signer
    package var usage: Usage
    package var key: Key

    package init(
        commonName: String, dnsNames: [String] = [], addresses: [String] = [], validity: CertificateValidity = .current,
        signer: Signer = .authority, usage: Usage = .server,
        key: Key = .p256
    ) {
        self.commonName = commonName
        self.dnsNames = dnsNames
        self.addresses = addresses
        self.validity = validity
        self.signer = signer
        self.usage = usage
        self.key = key
    }
}
