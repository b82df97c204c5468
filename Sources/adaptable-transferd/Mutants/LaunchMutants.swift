import TransferDaemon

extension DaemonMutant {
    /// Mutants in launching apps.
    static let launching = [
        DaemonMutant(
            "launches-for-each-task", breaks: ["BKGD-23"], "launches the app when the first of its tasks has ended"
        ) {
            $0.launches.waitsForAll = false
        },
        DaemonMutant(
            "never-launches-at-the-end", breaks: ["BKGD-23"], "does not launch the app when its tasks have ended"
        ) {
            $0.launches.launchesWhenFinished = false
        },
        DaemonMutant("never-launches-for-challenges", breaks: ["BKGD-22"], "does not launch the app for a challenge") {
            $0.launches.launchesForQuestions = false
        },
        DaemonMutant("launches-for-nothing", breaks: ["BKGD-23"], "launches an app that has all events") {
            $0.launches.needsEvents = false
        },
        DaemonMutant(
            "launches-against-the-choice", breaks: ["BKGD-32"], "launches an app whose session sends no launch events"
        ) {
            $0.launches.respectsChoice = false
        },
        DaemonMutant(
            "launches-in-quick-succession", breaks: ["BKGD-33"], "launches an app that does not come again at once"
        ) {
            $0.launches.isPaced = false
        },
        DaemonMutant(
            "launches-without-the-identifier", breaks: ["BKGD-24"], "does not name the session to the launched app"
        ) {
            $0.launches.passesIdentifier = false
        },
    ]

    /// Mutants in passing events to apps.
    static let delivering = [
        DaemonMutant("loses-missed-events", breaks: ["BKGD-05"], "forgets the events of an app that does not run") {
            $0.delivery.keepsMissed = false
        },
        DaemonMutant("repeats-events", breaks: ["BKGD-05"], "delivers events again that the app has acknowledged") {
            $0.delivery.forgetsAcknowledged = false
        },
        DaemonMutant(
            "completes-before-the-file", breaks: ["BKGD-10", "BKGD-05"], "delivers the completion before the file"
        ) {
            $0.delivery.keepsOrder = false
        },
        DaemonMutant(
            "loses-files", breaks: ["BKGD-02", "BKGD-05"], "completes a download without delivering its file"
        ) {
            $0.delivery.deliversFiles = false
        },
        DaemonMutant("no-progress", breaks: ["BKGD-10"], "does not report progress") {
            $0.delivery.reportsProgress = false
        },
        DaemonMutant("never-finishes", breaks: ["BKGD-25"], "does not announce the end of the missed events") {
            $0.delivery.finishes = false
        },
        DaemonMutant("finishes-first", breaks: ["BKGD-25"], "announces the end of the missed events before them") {
            $0.delivery.finishesLast = false
        },
    ]
}
