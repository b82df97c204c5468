/// The validity of a certificate, relative to the time of its creation.
package struct CertificateValidity: Hashable, Sendable {
    package var notBefore: Duration
    package var notAfter: Duration

    package init(notBefore: Duration, notAfter: Duration) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    private static let day: Duration = .seconds(86_400)

    /// Starting a day in the past tolerates clock differences; 90 days are below every client's limit on a
    /// certificate's lifetime.
    package static let current = CertificateValidity(notBefore: day * -1, notAfter: day * 90)
    package static let expired = CertificateValidity(notBefore: day * -30, notAfter: day * -1)
    package static let notYetValid = CertificateValidity(notBefore: day * 1, notAfter: day * 30)
    static let authority = CertificateValidity(notBefore: day * -1, notAfter: day * 3_650)
}
