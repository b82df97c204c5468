@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in waiting for connectivity, in its callbacks, and in the choice of the interface.
    static let waiting = [
        SessionMutant(
            "waits-unasked", breaks: ["CONN-01", "CONN-29"], "waits though the configuration does not say so"
        ) {
            $0.waiting.waitsOnlyIfRequested = false
        },
        SessionMutant("waits-twice", breaks: ["CONN-08"], "tells each time that the network goes that it waits") {
            $0.waiting.notifiesOnce = false
        },
        SessionMutant(
            "failed-attempt-is-final", breaks: ["CONN-17", "CONN-27"],
            "waits for a missing network only, not after a failed attempt"
        ) {
            $0.waiting.waitsAfterFailedAttempt = false
        },
        SessionMutant("waits-after-connecting", breaks: ["CONN-18"], "goes back to waiting when the connection is lost")
        {
            $0.waiting.waitsOnlyBeforeFirstConnection = false
        },
        SessionMutant(
            "polls", breaks: ["CONN-06", "CONN-26"],
            "does not hear that the network is there, and tries again by the clock"
        ) {
            $0.waiting.startsWhenPathOpens = false
            $0.waiting.staysQuietWithoutPath = false
        },
        SessionMutant(
            "forbidden-path-ends-the-wait", breaks: ["CONN-31"], "takes a forbidden interface for the end of the wait"
        ) {
            $0.waiting.honoursForbidden = false
            // Otherwise nothing is sent: the attempt does not find an interface to use, and the task keeps waiting.
            $0.connect.queriesByAllowedInterface = false
        },
        SessionMutant("hammers", breaks: ["CONN-26"], "tries a hundred times a second to connect") {
            $0.waiting.firstPause = 10_000_000
            $0.waiting.longestPause = 10_000_000
            $0.waiting.triesHostOnce = false
        },
        SessionMutant(
            "ignores-the-cellular-ban", breaks: ["CONN-14", "CONN-15"],
            "counts a forbidden cellular network as connectivity"
        ) {
            $0.path.honoursForbidden = false
        },
        SessionMutant(
            "sends-a-byte-over-cellular", breaks: ["CONN-14"],
            "lets the route choose the interface, though one is forbidden"
        ) {
            $0.path.honoursForbidden = false
            $0.path.bindsToAllowedInterface = false
        },
        SessionMutant(
            "asks-names-over-cellular", breaks: ["CONF-12"],
            "keeps the connection off a forbidden interface, but not the question for the name"
        ) {
            $0.connect.queriesByAllowedInterface = false
        },
        SessionMutant(
            "stays-on-the-network-that-went", breaks: ["CONN-06"],
            "does not make an attempt again whose interface has gone"
        ) {
            $0.connect.restartsOnInterfaceLoss = false
        },
        SessionMutant(
            "needs-no-route", breaks: ["CONN-01", "CONN-02"], "takes a link without a route for connectivity"
        ) {
            $0.path.needsRoute = false
        },
    ]
}
