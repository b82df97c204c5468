@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in repeating requests.
    static let retrying = [
        SessionMutant("retries-post", breaks: ["CONN-20"], "sends a POST again that may have been processed") {
            $0.retry.idempotentMethods.insert("POST")
        },
        SessionMutant(
            "retries-for-ever", breaks: ["CONN-20"], "sends a request again as often as its connection is lost"
        ) {
            $0.retry.lostLimit = .max
            $0.retry.onlyOnReusedConnections = false
            $0.retry.onlyBeforeResponse = false
        },
        SessionMutant(
            "never-repeats", breaks: ["POOL-04"], "fails when the server has closed the idle connection that it uses"
        ) {
            $0.retry.repeatsLost = false
            $0.retry.repeatsUnsent = false
        },
        SessionMutant(
            "refused-stream-is-final", breaks: ["H2-08", "H2-11"],
            "fails a request that the server has proved not to have processed"
        ) {
            $0.retry.repeatsRefused = false
        },
        SessionMutant("refused-streams-for-ever", breaks: ["H2-08"], "asks a server that refuses for ever, for ever") {
            $0.retry.refusedLimit = .max
        },
        SessionMutant(
            "retries-over-the-old-connection", breaks: ["POOL-04"], "repeats a lost request over another old connection"
        ) {
            $0.retry.usesFreshConnection = false
        },
    ]
}
