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
