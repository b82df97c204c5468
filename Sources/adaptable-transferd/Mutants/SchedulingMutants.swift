import TransferDaemon
import TransferProtocol

extension DaemonMutant {
    /// Mutants in the time at which tasks run.
    static let scheduling = [
        DaemonMutant("begins-early", breaks: ["SCHD-01"], "begins a task before its date") {
            $0.scheduling.keepsBeginDates = false
        },
        DaemonMutant("never-asks", breaks: ["SCHD-04"], "begins a delayed task without asking its delegate") {
            $0.scheduling.asks = .none
        },
        DaemonMutant("always-asks", breaks: ["SCHD-05"], "asks the delegate about a task without a begin date") {
            $0.scheduling.asks = .all
        },
        DaemonMutant("ignores-power", breaks: ["DISC-01"], "runs a discretionary task on battery") {
            $0.scheduling.waitsForPower = false
        },
        DaemonMutant("ignores-wifi", breaks: ["DISC-01"], "runs a discretionary task on cellular") {
            $0.scheduling.waitsForWifi = false
        },
        DaemonMutant("ignores-a-low-battery", breaks: ["DISC-07"], "treats a low battery as a full one") {
            $0.scheduling.lowBattery = 0
        },
        DaemonMutant("never-relaxes", breaks: ["DISC-06"], "waits for good conditions until the resource timeout") {
            $0.scheduling.shareForBattery = 0
            $0.scheduling.shareForAnything = 0
        },
        DaemonMutant("never-relaxes-for-cellular", breaks: ["DISC-06"], "waits for Wi-Fi until the resource timeout") {
            $0.scheduling.shareForAnything = 0
        },
        DaemonMutant(
            "relaxes-at-once", breaks: ["DISC-01", "DISC-06"],
            "runs discretionary tasks under any conditions from the beginning"
        ) {
            $0.scheduling.shareForAnything = 1
        },
        DaemonMutant(
            "background-tasks-are-ordinary", breaks: ["DISC-03"],
            "does not defer tasks that were made in the background"
        ) {
            $0.scheduling.defersBackground = false
        },
        DaemonMutant(
            "foreground-changes-nothing", breaks: ["DISC-04"],
            "keeps tasks deferred when the app comes to the foreground"
        ) {
            $0.scheduling.liftsInForeground = false
        },
        DaemonMutant("defers-the-foreground", breaks: ["DISC-02"], "defers the tasks of an app in the foreground") {
            $0.scheduling.hurriesInForeground = false
        },
        DaemonMutant("never-times-out", breaks: ["BKGD-20"], "tries without limit") {
            $0.scheduling.keepsResourceTimeout = false
        },
        DaemonMutant("pauses-without-the-app", breaks: ["BKGD-02"], "stops transfers when the app ends") {
            $0.scheduling.kindsNeedingClient = [.data, .upload, .download]
        },
        DaemonMutant("data-without-the-app", breaks: ["BKGD-12"], "loads data tasks when the app has ended") {
            $0.scheduling.kindsNeedingClient = []
        },
    ]

    /// Mutants in further attempts.
    static let retrying = [
        DaemonMutant(
            "ignores-throughput", breaks: ["DISC-08"], "continues a discretionary transfer on a link that is too slow"
        ) {
            $0.scheduling.stopsSlow = false
        },
        DaemonMutant("gives-up", breaks: ["BKGD-17"], "reports a lost connection") {
            $0.retry.retries = false
        },
        DaemonMutant("starts-over", breaks: ["BKGD-18"], "fetches the whole resource after a lost connection") {
            $0.retry.resumes = false
        },
        DaemonMutant("gives-up-without-ranges", breaks: ["BKGD-19"], "ends a lost download that it cannot continue") {
            $0.retry.startsOver = false
        },
    ]
}
