@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in the handling of configurations, stores, the delegate and tasks.
    static let handling = [
        SessionMutant(
            "shares-its-configuration", breaks: ["CONF-01"], "follows the configuration that it was made with"
        ) {
            $0.configuration.isCopied = false
        },
        SessionMutant(
            "lends-its-configuration", breaks: ["CONF-02"], "follows the configuration that it gives when it is asked"
        ) {
            $0.configuration.returnsCopy = false
        },
        SessionMutant(
            "keeps-to-the-shared-stores", breaks: ["CONF-16"], "asks the stores of the process in place of its own"
        ) {
            $0.stores.usesConfigured = false
        },
        SessionMutant(
            "stores-without-the-task", breaks: ["STOR-01", "STOR-03", "STOR-04"], "asks stores without naming the task"
        ) {
            $0.stores.passesTaskToStore = false
        },
        SessionMutant("does-not-wait-for-stores", breaks: ["STOR-02"], "goes on when a store does not answer at once") {
            $0.stores.waitsForStores = false
        },
        SessionMutant(
            "hides-the-current-request", breaks: ["STOR-05"], "leaves the task's current request as it was at first"
        ) {
            $0.stores.showsCurrentRequest = false
        },
        SessionMutant("drops-its-delegate", breaks: ["INVL-01"], "does not hold its delegate") {
            $0.invalidation.holdsDelegate = false
        },
        SessionMutant("keeps-its-delegate", breaks: ["INVL-05"], "holds its delegate for ever") {
            $0.invalidation.releasesDelegate = false
        },
        SessionMutant("hides-the-response", breaks: ["TASK-12"], "never shows a task's response") {
            $0.tasks.showsResponse = false
        },
        SessionMutant("handler-anywhere", breaks: ["CONV-09"], "calls completion handlers on a thread of its own") {
            $0.delivery.handlersOnQueue = false
        },
    ]
}
