/// The rules for challenges and credentials.
package struct AuthenticationPolicy: Hashable, Sendable {
    /// The order in which the challenges of one response are preferred, strongest first. Schemes that are missing here
    /// are ignored.
    package var schemes: [AuthenticationScheme] = [.negotiate, .ntlm, .digest, .basic]
    /// Schemes whose challenges go to the session's delegate first; the others go to the task's delegate only.
    package var sessionWide: Set<AuthenticationScheme> = [.negotiate, .ntlm]
    /// RFC 7616 §3.7: of several Digest challenges, the first one in the server's order whose algorithm is in this set
    /// is used.
    package var digestAlgorithms: Set<DigestScheme> = Set(DigestScheme.allCases)
    /// Prefers auth-int, which requires reading the whole body before the first byte of the request is sent.
    package var prefersIntegrity = false
    /// RFC 7616 §3.3: a stale nonce means that the password was right, so it is renewed without another challenge to
    /// the delegate.
    package var renewsStaleNonces = true
    /// A connection that NTLM or Negotiate authenticated is also used for the session's other requests (AUTH-04).
    package var sharesConnection = true
    /// The maximum number of stale nonces in a row, against a server that reports every nonce as stale.
    package var staleLimit = 3
    /// RFC 7616 §3.5: the nonce of Authentication-Info replaces the current one.
    package var usesNextNonce = true
    /// RFC 7616 §3.4.4: the user name is sent as a hash if the server supports it.
    package var hashesUser = true
    package var firstNonceCount: UInt32 = 1
    /// Credentials are looked up in the session's credential storage before the delegate is called (AUTH-11).
    package var usesStoredCredentials = true
    /// The user name and password in the request's URL are used.
    package var usesUserInformation = true
    /// RFC 7617 §2.2, RFC 7616 §3.6: credentials are sent without a further 401 in a known protection space.
    package var isPreemptive = true
    /// Basic credentials are not sent preemptively above the directory of the challenged path (RFC 7617 §2.2).
    package var limitsBasicToPath = true
    /// A credential is remembered only if its persistence allows it (AUTH-17).
    package var storesByPersistence = true
    /// NTLM messages are sent as Negotiate tokens, which servers that support NTLM accept; Kerberos is not supported.
    package var negotiatesNTLM = true
    /// RFC 4559 §6: the messages of one NTLM or Negotiate exchange stay on one connection.
    package var pinsConnection = true
    /// If the task of a handshake is cancelled, the handshake continues with the decision of the delegate of the next
    /// task that waits for the connection; otherwise it fails.
    package var handshakeQueriesNext = true
    /// The maximum number of exchanges, against a server that closes the connection after every challenge.
    package var exchangeLimit = 3
    /// The maximum number of refused credentials, against a delegate that always supplies the same wrong password.
    package var failureLimit = 100

    package init() {}
}
