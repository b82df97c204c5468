@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in the place and time of callbacks, and in the progress object of a task.
    static let callingBack = [
        SessionMutant("reads-less-than-asked", breaks: ["STRM-01"], "answers a stream's read with less than its least")
        {
            $0.streams.readsTheMinimum = false
        },
        SessionMutant(
            "stream-stays-plain", breaks: ["STRM-02"], "goes on in plain after it was asked to secure a stream"
        ) {
            $0.streams.secures = false
        },
        SessionMutant(
            "captures-at-once", breaks: ["STRM-03"],
            "turns a stream task into streams before the read that waits is through"
        ) {
            $0.streams.captureWaits = false
        },
        SessionMutant(
            "captures-without-the-unread", breaks: ["STRM-03"],
            "loses what it had received when a stream task becomes streams"
        ) {
            $0.streams.capturesUnread = false
        },
        SessionMutant(
            "captures-another-connection", breaks: ["STRM-03"], "connects anew when a stream task becomes streams"
        ) {
            $0.streams.capturesConnection = false
        },
        SessionMutant("own-queue", breaks: ["DLGT-01"], "runs callbacks on a queue of its own") {
            $0.delivery.usesCallerQueue = false
        },
        SessionMutant(
            "serial-anyway", breaks: ["DLGT-15", "DLGT-16"], "runs one callback at a time on a concurrent queue"
        ) {
            $0.delivery.queueWidth = 1
        },
        SessionMutant("concurrent-anyway", breaks: ["DLGT-18"], "runs several callbacks at a time on a serial queue") {
            $0.delivery.queueWidth = 8
        },
        SessionMutant("callbacks-overtake", breaks: ["DLGT-17"], "runs callbacks of one task side by side") {
            $0.delivery.keepsTaskOrder = false
        },
        SessionMutant("stalls-for-good", breaks: ["DLGT-13"], "does not go on after a callback that took its time") {
            // Without a backlog each callback blocks the load, not only one during which half a megabyte arrives.
            $0.delivery.backlog = 0
            $0.delivery.continuesAfterBlock = false
        },
        SessionMutant("progress-stands-still", breaks: ["PROG-01", "PROG-06"], "shows no progress before the end") {
            $0.progress.followsTheLoad = false
        },
        SessionMutant("progress-overshoots", breaks: ["PROG-02"], "shows more than the whole") {
            $0.progress.staysWithinWhole = false
        },
        SessionMutant("progress-of-the-answer-only", breaks: ["PROG-03"], "leaves the sent body out of the progress") {
            $0.progress.countsSending = false
        },
        SessionMutant("progress-without-an-end", breaks: ["PROG-01", "PROG-05"], "does not complete its progress") {
            $0.progress.endsWhole = false
        },
        SessionMutant("progress-without-words", breaks: ["PROG-04"], "describes its progress with empty texts") {
            $0.progress.showsDescription = false
        },
        SessionMutant("progress-does-not-cancel", breaks: ["PROG-07"], "loads on after its progress was cancelled") {
            $0.progress.cancelsTask = false
        },
        SessionMutant("progress-does-not-pause", breaks: ["PROG-08"], "loads on after its progress was paused") {
            $0.progress.suspendsTask = false
        },
        SessionMutant("progress-does-not-resume", breaks: ["PROG-09"], "stays suspended after its progress was resumed")
        {
            $0.progress.resumesTask = false
        },
    ]
}
