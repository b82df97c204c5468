import Foundation

/// A weak reference to a stream, used on the thread of the run loop on which the caller scheduled the stream.
@safe struct StreamReference: Sendable {
    nonisolated(unsafe) private weak let held: Stream?

    init(_ stream: Stream) { unsafe held = stream }

    var stream: Stream? { unsafe held }
}
