@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in requesting, choosing and sending credentials.
    static let authenticating = [
        SessionMutant(
            "basic-is-asked-of-the-session", breaks: ["AUTH-05"], "sends Basic challenges to the session's delegate"
        ) {
            $0.authentication.sessionWide.insert(.basic)
        },
        SessionMutant(
            "digest-is-asked-of-the-session", breaks: ["AUTH-06"], "sends Digest challenges to the session's delegate"
        ) {
            $0.authentication.sessionWide.insert(.digest)
        },
        SessionMutant("ntlm-is-asked-of-the-task", breaks: ["AUTH-03"], "sends NTLM challenges to the task's delegate")
        {
            $0.authentication.sessionWide.remove(.ntlm)
        },
        SessionMutant("knows-no-digest", breaks: ["AUTH-06"], "does not support Digest") {
            $0.authentication.schemes = [.negotiate, .ntlm, .basic]
        },
        SessionMutant(
            "ntlm-changes-connections", breaks: ["AUTH-03", "AUTH-04"],
            "sends the messages of one NTLM exchange over several connections"
        ) {
            $0.authentication.pinsConnection = false
            $0.pool.respectsPinning = false
            $0.pool.reusesConnections = false
        },
        SessionMutant(
            "forgets-stored-credentials", breaks: ["AUTH-11"],
            "calls the delegate although the storage has the credential"
        ) {
            $0.authentication.usesStoredCredentials = false
        },
        SessionMutant("keeps-every-credential", breaks: ["AUTH-17"], "stores a credential without persistence") {
            $0.authentication.storesByPersistence = false
        },
        SessionMutant(
            "cancellation-refuses-for-others", breaks: ["AUTH-01", "TASK-07"],
            "refuses a certificate for all tasks when the task with the challenge is cancelled"
        ) {
            $0.authentication.handshakeQueriesNext = false
        },
        SessionMutant(
            "stale-nonce-is-a-failure", breaks: ["AUTH-06"],
            "treats a stale nonce as a failure and calls the delegate again"
        ) {
            $0.authentication.renewsStaleNonces = false
        },
        SessionMutant(
            "basic-everywhere", breaks: ["AUTH-08"], "sends Basic credentials preemptively to all paths of an origin"
        ) {
            $0.authentication.limitsBasicToPath = false
        },
    ]
}
