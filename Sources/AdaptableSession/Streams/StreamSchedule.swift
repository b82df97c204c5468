import Foundation
import Synchronization

/// The run loops on which a stream's delegate hears of it.
///
/// Foundation's own streams are scheduled by Core Foundation, which has no way in for a class of ours; a timer that is due at once does
/// the same, since it wakes its loop.
final class StreamSchedule: Sendable {
    /// Timers may be added to a loop from any thread: Core Foundation has a lock for it.
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
        /// What is told next, if anything; nil once the stream is closed.
        var receives: (@Sendable () -> Void)?
        /// A timer is on its way.
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

    /// `receives` runs on the loop's thread.
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
            // A loop that the stream was taken off in the meantime.
            guard state.places.contains(where: { $0.isSame(as: place) }) else { return nil }
            state.isDue = false
            return state.receives
        }
        receives?()
    }
}
