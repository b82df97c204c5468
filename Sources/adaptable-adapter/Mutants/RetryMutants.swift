@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in repeating requests.
    static let retrying = [
        SessionMutant(
            "retries-post", breaks: ["CONN-20", "RFC-RETRY-01"], "sends a POST again that may have been processed"
        ) {
            $0.retry.idempotentMethods.insert("POST")
        },
        SessionMutant(
            "retries-for-ever", breaks: ["CONN-20"], "repeats a request without limit when its connection is lost"
        ) {
            $0.retry.lostLimit = .max
            $0.retry.onlyOnReusedConnections = false
            $0.retry.onlyBeforeResponse = false
        },
        SessionMutant(
            "never-repeats", breaks: ["RFC-RETRY-02"], "fails when the server has closed the idle connection in use"
        ) {
            $0.retry.repeatsLost = false
            $0.retry.repeatsUnsent = false
        },
        SessionMutant(
            "unanswered-is-final", breaks: ["POOL-07"],
            "fails a pipelined request when the connection ends in an earlier exchange"
        ) {
            $0.retry.repeatsUnanswered = false
        },
        SessionMutant(
            "refused-stream-is-final", breaks: ["H2-08", "H2-11", "RFC-RETRY-03"],
            "fails a request that the server certainly did not process"
        ) {
            $0.retry.repeatsRefused = false
        },
        SessionMutant(
            "refused-streams-for-ever", breaks: ["H2-08", "RFC-RETRY-04"],
            "retries without limit on a server that refuses every stream"
        ) {
            $0.retry.refusedLimit = .max
        },
        SessionMutant(
            "retries-over-the-old-connection", breaks: ["RFC-RETRY-02"],
            "repeats a lost request on another idle connection"
        ) {
            $0.retry.usesFreshConnection = false
        },
    ]
}
