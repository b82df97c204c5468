@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in requesting, choosing and sending credentials.
    static let authenticating = [
        SessionMutant("basic-is-asked-of-the-session", breaks: ["AUTH-05"], "asks the session's delegate for Basic") {
            $0.authentication.sessionWide.insert(.basic)
        },
        SessionMutant("digest-is-asked-of-the-session", breaks: ["AUTH-06"], "asks the session's delegate for Digest") {
            $0.authentication.sessionWide.insert(.digest)
        },
        SessionMutant("ntlm-is-asked-of-the-task", breaks: ["AUTH-03"], "asks the task's delegate for NTLM") {
            $0.authentication.sessionWide.remove(.ntlm)
        },
        SessionMutant("knows-no-digest", breaks: ["AUTH-06"], "cannot answer Digest") {
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
        SessionMutant("forgets-stored-credentials", breaks: ["AUTH-11"], "asks the delegate for what the storage knows")
        {
            $0.authentication.usesStoredCredentials = false
        },
        SessionMutant("keeps-every-credential", breaks: ["AUTH-17"], "stores a credential that was for one use") {
            $0.authentication.storesByPersistence = false
        },
        SessionMutant(
            "cancellation-refuses-for-others", breaks: ["AUTH-01", "TASK-07"],
            "refuses a certificate for all when the task whose delegate was asked is cancelled"
        ) {
            $0.authentication.handshakeQueriesNext = false
        },
        SessionMutant("stale-nonce-is-a-failure", breaks: ["AUTH-06"], "asks the delegate again when a nonce is stale")
        {
            $0.authentication.renewsStaleNonces = false
        },
        SessionMutant("basic-everywhere", breaks: ["AUTH-08"], "sends Basic to all paths of an origin unasked") {
            $0.authentication.limitsBasicToPath = false
        },
    ]
}
