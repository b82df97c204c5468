@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in waiting for connectivity, in its callbacks, and in the choice of the interface.
    static let waiting = [
        SessionMutant(
            "waits-unasked", breaks: ["CONN-01", "CONN-04", "CONN-29"], "waits although waitsForConnectivity is not set"
        ) {
            $0.waiting.waitsOnlyIfRequested = false
        },
        SessionMutant(
            "never-waits",
            breaks: ["CONN-05", "CONN-09", "CONN-13", "CONN-24", "CONN-25", "CONN-32", "CONN-33"],
            "fails without a network although waitsForConnectivity is set"
        ) {
            $0.waiting.waitsIfRequested = false
        },
        SessionMutant(
            "waits-in-silence", breaks: ["CONN-07", "CONN-12", "CONN-24", "CONV-07"],
            "does not call the delegate when a task has to wait"
        ) {
            $0.waiting.notifies = false
        },
        SessionMutant("waits-twice", breaks: ["CONN-08"], "reports each loss of the network as a new wait") {
            $0.waiting.notifiesOnce = false
        },
        SessionMutant(
            "failed-attempt-is-final", breaks: ["CONN-17", "CONN-27"],
            "waits for a missing network only, not after a failed attempt"
        ) {
            $0.waiting.waitsAfterFailedAttempt = false
        },
        SessionMutant(
            "waits-after-connecting", breaks: ["CONN-18"], "waits again when an established connection is lost"
        ) {
            $0.waiting.waitsOnlyBeforeFirstConnection = false
        },
        SessionMutant(
            "polls", breaks: ["CONN-06", "CONN-26"],
            "ignores network changes and retries at intervals"
        ) {
            $0.waiting.startsWhenPathOpens = false
            $0.waiting.staysQuietWithoutPath = false
        },
        SessionMutant(
            "forbidden-path-ends-the-wait", breaks: ["CONN-31"], "ends the wait when a forbidden interface comes up"
        ) {
            $0.waiting.honoursForbidden = false
            // Otherwise nothing is sent: the attempt does not find an interface to use, and the task keeps waiting.
            $0.connect.queriesByAllowedInterface = false
        },
        SessionMutant("hammers", breaks: ["CONN-26"], "retries a connection a hundred times per second") {
            $0.waiting.firstPause = 10_000_000
            $0.waiting.longestPause = 10_000_000
            $0.waiting.triesHostOnce = false
        },
        SessionMutant(
            "ignores-the-cellular-ban", breaks: ["CONN-14", "CONN-15", "CONN-24", "CONN-25"],
            "counts a forbidden cellular network as connectivity"
        ) {
            $0.path.honoursForbidden = false
        },
        SessionMutant(
            "sends-a-byte-over-cellular", breaks: ["CONN-14"],
            "lets the route choose the interface even if it is forbidden"
        ) {
            $0.path.honoursForbidden = false
            $0.path.bindsToAllowedInterface = false
        },
        SessionMutant(
            "asks-names-over-cellular", breaks: ["CONF-12"],
            "does not connect over a forbidden interface, but sends DNS queries over it"
        ) {
            $0.connect.queriesByAllowedInterface = false
        },
        SessionMutant(
            "stays-on-the-network-that-went", breaks: ["CONN-06"],
            "does not repeat a connection attempt whose interface went away"
        ) {
            $0.connect.restartsOnInterfaceLoss = false
        },
        SessionMutant(
            "needs-no-route", breaks: ["CONN-01", "CONN-02"], "treats a link without a route as connectivity"
        ) {
            $0.path.needsRoute = false
        },
    ]
}
