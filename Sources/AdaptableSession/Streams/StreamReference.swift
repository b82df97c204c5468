import Foundation

/// A stream that is told on a run loop's thread: that on which it was scheduled, as its caller has promised to use it.
@safe struct StreamReference: Sendable {
    nonisolated(unsafe) private weak let held: Stream?

    init(_ stream: Stream) { unsafe held = stream }

    var stream: Stream? { unsafe held }
}
