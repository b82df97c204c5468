import TransferDaemon

extension DaemonMutant {
    /// Mutants in accepting tasks and keeping them.
    static let accepting = [
        DaemonMutant("ends-with-the-app", breaks: ["BKGD-02"], "ends the transfers of an app that ends") {
            $0.tasks.outliveClients = false
        },
        DaemonMutant("forgets-tasks", breaks: ["BKGD-17"], "forgets its tasks when it is started again") {
            $0.tasks.outliveDaemons = false
        },
        DaemonMutant("goes-on-after-a-cancel", breaks: ["BKGD-10"], "continues the transfer of a cancelled task") {
            $0.tasks.stopWhenCancelled = false
        },
        DaemonMutant("refuses-redirects", breaks: ["REDR-08"], "delivers the redirect response") {
            $0.tasks.followRedirects = false
        },
        DaemonMutant("refuses-data-tasks", breaks: ["BKGD-12"], "does not accept data tasks") {
            $0.tasks.includeData = false
        },
        DaemonMutant(
            "cancels-challenges", breaks: ["BKGD-22"], "cancels a challenge that comes while the app does not run"
        ) {
            $0.tasks.waitForAnswers = false
        },
        DaemonMutant("fails-without-a-network", breaks: ["CONN-21", "BKGD-16"], "ends a task that finds no network") {
            $0.tasks.waitForNetwork = false
        },
        DaemonMutant("keeps-resume-data", breaks: ["DNLD-20"], "cancels a download without resume data") {
            $0.tasks.handOverParts = false
        },
        DaemonMutant("ignores-the-new-request", breaks: ["SCHD-09"], "sends the request that the delegate replaced") {
            $0.tasks.useNewRequests = false
        },
        DaemonMutant("cancels-the-continued", breaks: ["SCHD-08"], "ends a delayed task that its delegate continues") {
            $0.tasks.obeyContinue = false
        },
        DaemonMutant(
            "continues-the-cancelled", breaks: ["SCHD-10"], "sends a delayed request that its delegate cancelled"
        ) {
            $0.tasks.obeyCancel = false
        },
        DaemonMutant("hides-earlier-tasks", breaks: ["BKGD-06"], "does not name the tasks of an earlier process") {
            $0.tasks.nameEarlier = false
        },
        DaemonMutant("forgets-size-hints", breaks: ["SCHD-11"], "forgets the expected counts of bytes") {
            $0.tasks.keepHints = false
        },
        DaemonMutant(
            "trusts-size-hints", breaks: ["SCHD-12"], "ends a transfer that exceeds its expected count of bytes"
        ) {
            $0.tasks.treatCountsAsHints = false
        },
    ]
}
