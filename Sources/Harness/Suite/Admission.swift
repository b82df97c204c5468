import Foundation
import LinuxNet
import Synchronization

/// Lets a run begin when there are processors for it: scenarios mostly wait, but a start is work, and many at once would starve those that are
/// being measured.
///
/// As many as there are processors may always run; more only while few wait for one.
final class Admission: Sendable {
    private struct State {
        var running = 0
        /// nil where the kernel does not tell: then only the number of jobs counts.
        var pressure = ProcessorPressure()
    }

    private let processors: Int
    private let state = Mutex(State())

    /// Above this share of the time, somebody waited: two processors with three threads that never rest.
    private static let bound = 0.6
    /// Each start shows in the pressure before the next is let in.
    private static let window = Duration.milliseconds(50)

    /// One for the whole process: suites beside each other share the machine.
    static let machine = Admission(processors: ProcessInfo.processInfo.activeProcessorCount)

    private init(processors: Int) { self.processors = processors }

    /// Returns when it is its turn, which comes at the latest when others have left; every call is followed by one of `leave`.
    func enter() {
        // The kernel tells of pressure by itself for windows of half a second and more only, so it is looked at.
        while !state.withLock({ mayEnter(&$0) }) { usleep(10_000) }
    }

    func leave() { state.withLock { $0.running -= 1 } }

    private func mayEnter(_ state: inout State) -> Bool {
        if state.running >= processors, state.pressure != nil {
            guard let share = state.pressure?.share(over: Admission.window), share < Admission.bound else { return false }
        }
        state.running += 1
        return true
    }
}
