@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in sharing connections.
    static let pooling = [
        SessionMutant("a-connection-for-each", breaks: ["POOL-04"], "closes each connection after one exchange") {
            $0.pool.reusesConnections = false
        },
        SessionMutant(
            "ignores-the-connection-limit", breaks: ["POOL-01"], "opens six connections whatever the limit is"
        ) {
            $0.pool.limitIsConfigured = false
        },
        SessionMutant(
            "ignores-the-tls-versions", breaks: ["TLSV-01", "TLSV-02", "TLSV-03"],
            "accepts every supported version of TLS"
        ) {
            $0.connect.keepsTLSVersions = false
        },
        SessionMutant(
            "limit-counts-all-hosts", breaks: ["POOL-03"], "counts the connections to other hosts against the limit"
        ) {
            $0.pool.limitIsPerHost = false
        },
        SessionMutant(
            "never-pipelines", breaks: ["POOL-06"], "sends no request before the earlier response is complete"
        ) {
            $0.pool.pipelineDepth = 1
        },
        SessionMutant(
            "always-pipelines", breaks: ["POOL-05"], "sends requests before earlier responses without the setting"
        ) {
            $0.pool.pipelinesOnRequest = false
        },
        SessionMutant(
            "does-not-multiplex", breaks: ["H2-01", "H2-13"], "opens an HTTP/2 connection for each concurrent request"
        ) {
            $0.pool.multiplexes = false
        },
        SessionMutant(
            "handshakes-at-once", breaks: ["H2-10"], "opens several connections before it knows the server's protocol"
        ) {
            $0.pool.oneHandshakeFindsTheProtocol = false
        },
        SessionMutant("insists-on-http2", breaks: ["H2-06"], "fails if the server does not choose h2") {
            $0.http2.fallsBack = false
        },
        SessionMutant("offers-no-http2", breaks: ["H2-05"], "does not offer h2 in the handshake") {
            $0.http2.isOffered = false
        },
        SessionMutant(
            "ignores-session-proxies", breaks: ["PRXY-01", "PRXY-02"],
            "connects directly although the session has a proxy"
        ) {
            $0.proxies.usesSessionProxies = false
        },
        SessionMutant(
            "ignores-system-proxies", breaks: ["PRXY-03"], "connects directly although the system has a proxy"
        ) {
            $0.proxies.usesSystemProxies = false
        },
        SessionMutant(
            "https-in-the-clear", breaks: ["PRXY-01", "PRXY-04"], "sends https requests to a proxy without a tunnel"
        ) {
            $0.proxies.tunnelsHTTPS = false
        },
        SessionMutant("tries-one-address", breaks: ["NETW-02", "RFC-HE-01"], "tries the first address only") {
            $0.connect.racesFamilies = false
        },
        SessionMutant(
            "gives-up-at-the-first-address", breaks: ["NETW-02", "RFC-HE-01", "RFC-HE-04"],
            "does not try the next address when an attempt fails"
        ) {
            $0.connect.failsOver = false
            $0.connect.attemptDelay = 3_600_000_000_000
        },
        SessionMutant(
            "reuses-forbidden-connections", breaks: ["CONN-14"],
            "uses an open connection over an interface that the request forbids"
        ) {
            $0.pool.respectsForbiddenTraits = false
        },
        SessionMutant(
            "keeps-connections-of-lost-interfaces", breaks: ["RFC-HE-04"],
            "sends over an idle connection whose interface has gone"
        ) {
            $0.pool.closesIdleOnInterfaceLoss = false
        },
        SessionMutant(
            "first-come-first-served", breaks: ["H2-12"],
            "sends waiting requests in the order of their creation, ignoring priorities"
        ) {
            $0.pool.ordersByPriority = false
        },
        SessionMutant("priority-untold", breaks: ["H2-12"], "does not send a task's priority to the server") {
            $0.http2.sendsPriority = false
        },
        SessionMutant("ignores-goaway", breaks: ["H2-11"], "opens new streams on a connection after GOAWAY") {
            $0.http2.honoursGoAway = false
        },
        SessionMutant("ipv4-first", breaks: ["NETW-03", "RFC-HE-02"], "prefers IPv4") {
            $0.connect.prefersV6 = false
        },
    ]
}
