@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in the place and time of callbacks, and in the progress object of a task.
    static let callingBack = [
        SessionMutant(
            "reads-less-than-asked", breaks: ["STRM-01"], "completes a stream read with fewer bytes than its minimum"
        ) {
            $0.streams.readsTheMinimum = false
        },
        SessionMutant(
            "stream-stays-plain", breaks: ["STRM-02"], "continues in plain text after a call to secure the stream"
        ) {
            $0.streams.secures = false
        },
        SessionMutant(
            "captures-at-once", breaks: ["STRM-03"],
            "turns a stream task into streams before its pending read completes"
        ) {
            $0.streams.captureWaits = false
        },
        SessionMutant(
            "captures-without-the-unread", breaks: ["STRM-03"],
            "loses received bytes when a stream task becomes streams"
        ) {
            $0.streams.capturesUnread = false
        },
        SessionMutant(
            "captures-another-connection", breaks: ["STRM-03"],
            "opens a new connection when a stream task becomes streams"
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
        SessionMutant("callbacks-overtake", breaks: ["DLGT-17"], "runs callbacks of one task at the same time") {
            $0.delivery.keepsTaskOrder = false
        },
        SessionMutant("stalls-for-good", breaks: ["DLGT-13"], "stops after a slow callback") {
            // Without a backlog each callback blocks the load, not only one during which half a megabyte arrives.
            $0.delivery.backlog = 0
            $0.delivery.continuesAfterBlock = false
        },
        SessionMutant(
            "progress-stands-still", breaks: ["PROG-01", "PROG-06"], "does not report progress before the end"
        ) {
            $0.progress.followsTheLoad = false
        },
        SessionMutant("progress-overshoots", breaks: ["PROG-02"], "reports more than 100 percent") {
            $0.progress.staysWithinWhole = false
        },
        SessionMutant("progress-of-the-answer-only", breaks: ["PROG-03"], "omits the request body from the progress") {
            $0.progress.countsSending = false
        },
        SessionMutant("progress-without-an-end", breaks: ["PROG-01", "PROG-05"], "does not complete its progress") {
            $0.progress.endsWhole = false
        },
        SessionMutant("progress-without-words", breaks: ["PROG-04"], "describes its progress with empty texts") {
            $0.progress.showsDescription = false
        },
        SessionMutant(
            "progress-does-not-cancel", breaks: ["PROG-07"], "continues loading after its progress was cancelled"
        ) {
            $0.progress.cancelsTask = false
        },
        SessionMutant("progress-does-not-pause", breaks: ["PROG-08"], "continues loading after its progress was paused")
        {
            $0.progress.suspendsTask = false
        },
        SessionMutant("progress-does-not-resume", breaks: ["PROG-09"], "stays suspended after its progress was resumed")
        {
            $0.progress.resumesTask = false
        },
    ]
}
