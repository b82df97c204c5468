/// What is decided about challenges and credentials.
package struct AuthenticationPolicy: Hashable, Sendable {
    /// Which challenge of several is answered: the strongest first. What is missing here is not answered.
    package var schemes: [AuthenticationScheme] = [.negotiate, .ntlm, .digest, .basic]
    /// Asked of the session's delegate first; the others of the task's only.
    package var sessionWide: Set<AuthenticationScheme> = [.negotiate, .ntlm]
    /// RFC 7616 §3.7: of Digest challenges the first in the server's order that the client can do.
    package var digestAlgorithms: Set<DigestScheme> = Set(DigestScheme.allCases)
    /// auth-int needs the whole body before the first byte of the request.
    package var prefersIntegrity = false
    /// RFC 7616 §3.3: the password was right, so nobody is asked again.
    package var renewsStaleNonces = true
    /// AUTH-04: what a connection was let in for serves the session's other requests too.
    package var sharesConnection = true
    /// Against a server that calls every nonce stale.
    package var staleLimit = 3
    /// RFC 7616 §3.5.
    package var usesNextNonce = true
    /// RFC 7616 §3.4.4: the user's name is not sent in clear where the server can do without.
    package var hashesUser = true
    package var firstNonceCount: UInt32 = 1
    /// AUTH-11.
    package var usesStoredCredentials = true
    /// The name and password in the request's own URL.
    package var usesUserInformation = true
    /// RFC 7617 §2.2, RFC 7616 §3.6: no further 401 in a space that is known.
    package var isPreemptive = true
    /// A directory above the challenged path is not of the space of Basic (RFC 7617 §2.2).
    package var limitsBasicToPath = true
    /// AUTH-17.
    package var storesByPersistence = true
    /// NTLM's messages as Negotiate's tokens, which servers of that kind take; Kerberos itself is not spoken.
    package var negotiatesNTLM = true
    /// RFC 4559 §6: the messages of one exchange stay on one connection.
    package var pinsConnection = true
    /// A handshake whose task was cancelled goes on with the delegate's word for whoever takes the connection over; otherwise it fails.
    package var handshakeQueriesNext = true
    /// Against a server that closes the connection after every challenge.
    package var exchangeLimit = 3
    /// Against a delegate that gives the same wrong password for ever.
    package var failureLimit = 100

    package init() {}
}
