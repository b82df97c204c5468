@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in the handling of configurations, stores, the delegate and tasks.
    static let handling = [
        SessionMutant(
            "shares-its-configuration", breaks: ["CONF-01"],
            "applies later changes to the configuration object it was created with"
        ) {
            $0.configuration.isCopied = false
        },
        SessionMutant(
            "lends-its-configuration", breaks: ["CONF-02"],
            "applies changes to the configuration object that it returns"
        ) {
            $0.configuration.returnsCopy = false
        },
        SessionMutant(
            "keeps-to-the-shared-stores", breaks: ["CONF-16", "CONF-05", "COOK-06", "COOK-07"],
            "uses the shared stores instead of its own"
        ) {
            $0.stores.usesConfigured = false
        },
        SessionMutant(
            "stores-without-the-task", breaks: ["STOR-01", "STOR-03", "STOR-04"],
            "accesses stores without passing the task"
        ) {
            $0.stores.passesTaskToStore = false
        },
        SessionMutant("does-not-wait-for-stores", breaks: ["STOR-02"], "does not wait for the result of a store") {
            $0.stores.waitsForStores = false
        },
        SessionMutant(
            "hides-the-current-request", breaks: ["STOR-05"], "does not update the task's current request"
        ) {
            $0.stores.showsCurrentRequest = false
        },
        SessionMutant("drops-its-delegate", breaks: ["INVL-01"], "does not retain its delegate") {
            $0.invalidation.holdsDelegate = false
        },
        SessionMutant("keeps-its-delegate", breaks: ["INVL-05"], "never releases its delegate") {
            $0.invalidation.releasesDelegate = false
        },
        SessionMutant("lists-completed-tasks", breaks: ["BKGD-07"], "lists a task that has completed") {
            $0.tasks.listsOutstandingOnly = false
        },
        SessionMutant("lists-uploads-as-data", breaks: ["BKGD-06"], "lists an upload task as a data task too") {
            $0.tasks.listsByKind = false
        },
        SessionMutant("hides-the-response", breaks: ["TASK-12"], "never sets a task's response") {
            $0.tasks.showsResponse = false
        },
        SessionMutant("handler-anywhere", breaks: ["CONV-09"], "calls completion handlers on a thread of its own") {
            $0.delivery.handlersOnQueue = false
        },
    ]
}
