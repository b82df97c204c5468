/// The rules for challenges and credentials.
package struct AuthenticationPolicy: Hashable, Sendable {
    /// The order in which the challenges of one response are preferred, strongest first. Schemes that are missing here
    /// are ignored.
    package var schemes: [AuthenticationScheme] = [.negotiate, .ntlm, .digest, .basic]
    /// Schemes whose challenges go to the session's delegate first; the others go to the task's delegate only.
    package var sessionWide: Set<AuthenticationScheme> = [.negotiate, .ntlm]
    /// RFC 7616 §3.3: a stale nonce means that the password was right, so it is renewed without another challenge to
    /// the delegate.
    package var renewsStaleNonces = true
    /// Credentials are looked up in the session's credential storage before the delegate is called (AUTH-11).
    package var usesStoredCredentials = true
    /// Basic credentials are not sent preemptively above the directory of the challenged path (RFC 7617 §2.2).
    package var limitsBasicToPath = true
    /// A credential is remembered only if its persistence allows it (AUTH-17).
    package var storesByPersistence = true
    /// RFC 4559 §6: the messages of one NTLM or Negotiate exchange stay on one connection.
    package var pinsConnection = true
    /// If the task of a handshake is cancelled, the handshake continues with the decision of the delegate of the next
    /// task that waits for the connection; otherwise it fails.
    package var handshakeQueriesNext = true
}
