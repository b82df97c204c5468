/// The delays between the attempts of a task, which continue until the resource timeout (BKGD-17, BKGD-20).
package struct TransferRetryPolicy: Hashable, Sendable {
    package var first: Duration = .seconds(1)
    package var limit: Duration = .seconds(900)
    /// Each delay is spread by this share in both directions, so that tasks that failed together do not return together.
    package var spread = 0.2

    /// Try again after a failure (BKGD-17).
    package var retries = true
    /// Continue with the part that was received (BKGD-18).
    package var resumes = true
    /// Request the whole if nothing can be continued (BKGD-19).
    package var startsOver = true

    package init() {}

    /// Returns the number of failures in a row after an attempt has failed. Progress starts the count again: a transfer
    /// on a flaky link is retried soon as long as every attempt receives something.
    package func failures(after earlier: Int, madeProgress: Bool) -> Int { madeProgress ? 1 : earlier + 1 }

    /// Returns the delay before the next attempt; `failures` counts from 1.
    package func delay(failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        // 2^20 seconds exceed every limit that makes sense.
        let exponent = min(max(failures, 1) - 1, 20)
        let delay = min(limit, first * (1 << exponent))
        guard spread > 0 else { return delay }
        return delay * Double.random(in: (1 - spread)...(1 + spread), using: &generator)
    }

    /// Returns true if a task whose attempt ended with this code of `URLError` is retried silently. A response of the
    /// server, with any status, is not an error and ends the task.
    package static func isRecoverable(code: Int) -> Bool {
        switch code {
        case -1001, -1003, -1004, -1005, -1006, -1009: true  // timeout, name, connect, lost, lookup, offline
        case -1018, -1019, -1020: true  // roaming off, call active, data not allowed
        case -1200: true  // A handshake that was cut off. Refused certificates have codes of their own.
        default: false
        }
    }
}
