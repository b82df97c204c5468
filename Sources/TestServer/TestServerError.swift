/// The reason why the origin could not start.
package enum TestServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Sockets for TLS were given without a certificate.
    case noIdentity
    /// A listening socket could not be adopted.
    case cannotListen(descriptor: Int32, reason: String)
    /// An origin serves only one run.
    case alreadyStarted

    package var description: String {
        switch self {
        case .noIdentity:
            "the origin was given sockets for TLS but no certificate; give it a TLS context as well"
        case .cannotListen(let descriptor, let reason):
            "the origin cannot listen on descriptor \(descriptor): \(reason); give it a bound stream socket that is not used elsewhere"
        case .alreadyStarted:
            "this origin was already started; create a new one for each run"
        }
    }
}
