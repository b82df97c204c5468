import Foundation
import Synchronization

/// The run loops on which a stream notifies its delegate.
///
/// Core Foundation schedules Foundation's own streams and offers no way to add another class. A timer that is due
/// immediately has the same effect, because it wakes its run loop.
final class StreamSchedule: Sendable {
    /// Timers may be added from any thread: Core Foundation locks the run loop.
    @safe private struct Place: Sendable {
        nonisolated(unsafe) private let loop: RunLoop
        private let mode: RunLoop.Mode

        init(_ loop: RunLoop, _ mode: RunLoop.Mode) {
            unsafe self.loop = loop
            self.mode = mode
        }

        func isSame(as other: Place) -> Bool { unsafe loop === other.loop && mode == other.mode }

        func run(_ work: @escaping @Sendable () -> Void) {
            unsafe loop.add(Timer(timeInterval: 0, repeats: false) { _ in work() }, forMode: mode)
        }
    }

    private struct State {
        var places: [Place] = []
        /// The callback for the next change; nil before the start and after the stream is closed.
        var receives: (@Sendable () -> Void)?
        /// True while a timer is scheduled.
        var isDue = false
    }

    private let state = Mutex(State())

    func add(_ loop: RunLoop, _ mode: RunLoop.Mode) {
        let place = Place(loop, mode)
        state.withLock { $0.places.append(place) }
        changed()
    }

    func remove(_ loop: RunLoop, _ mode: RunLoop.Mode) {
        let place = Place(loop, mode)
        state.withLock { state in
            state.places.removeAll { $0.isSame(as: place) }
            state.isDue = false
        }
        changed()
    }

    /// Starts the notifications. `receives` runs on the run loop's thread.
    func start(_ receives: @escaping @Sendable () -> Void) {
        state.withLock { $0.receives = receives }
        changed()
    }

    func stop() { state.withLock { $0 = State() } }

    func changed() {
        state.withLock { state in
            guard state.receives != nil, !state.isDue, let place = state.places.first else { return }
            state.isDue = true
            place.run { [self] in notify(place) }
        }
    }

    private func notify(_ place: Place) {
        let receives: (@Sendable () -> Void)? = state.withLock { state in
            // The stream may have been removed from this run loop in the meantime.
            guard state.places.contains(where: { $0.isSame(as: place) }) else { return nil }
            state.isDue = false
            return state.receives
        }
        receives?()
    }
}

/// A weak reference to a stream, used on the thread of the run loop on which the caller scheduled the stream.
@safe struct StreamReference: Sendable {
    nonisolated(unsafe) private weak let held: Stream?

    init(_ stream: Stream) { unsafe held = stream }

    var stream: Stream? { unsafe held }
}
