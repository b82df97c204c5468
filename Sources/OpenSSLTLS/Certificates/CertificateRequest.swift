/// What a certificate shall say, and who signs it.
package struct CertificateRequest: Hashable, Sendable {
    package enum Signer: Hashable, Sendable {
        case authority
        /// A new intermediate authority, which goes into the chain that the server sends.
        case intermediate
        /// The certificate's own key: no authority vouches for it.
        case itself
    }

    package enum Usage: Hashable, Sendable {
        case server, client
    }

    package var commonName: String
    package var dnsNames: [String]
    /// IPv4 and IPv6 addresses as text.
    package var addresses: [String]
    package var validity: CertificateValidity
    package var signer: Signer
    package var usage: Usage

    package init(
        commonName: String, dnsNames: [String] = [], addresses: [String] = [], validity: CertificateValidity = .current,
        signer: Signer = .authority, usage: Usage = .server
    ) {
        self.commonName = commonName
        self.dnsNames = dnsNames
        self.addresses = addresses
        self.validity = validity
        self.signer = signer
        self.usage = usage
    }
}

/// When a certificate is valid, counted from the moment it is made.
package struct CertificateValidity: Hashable, Sendable {
    package var notBefore: Duration
    package var notAfter: Duration

    package init(notBefore: Duration, notAfter: Duration) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    private static let day: Duration = .seconds(86_400)

    /// A day in the past absorbs clocks that disagree; 90 days stay below every client's limit on a certificate's life.
    package static let current = CertificateValidity(notBefore: day * -1, notAfter: day * 90)
    package static let expired = CertificateValidity(notBefore: day * -30, notAfter: day * -1)
    package static let notYetValid = CertificateValidity(notBefore: day * 1, notAfter: day * 30)
    static let authority = CertificateValidity(notBefore: day * -1, notAfter: day * 3_650)
}
