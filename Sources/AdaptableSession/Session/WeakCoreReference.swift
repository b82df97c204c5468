import NIOCore
import Synchronization

/// A weak reference from the path monitor to the session core; the monitor starts before the core exists and may
/// outlive it.
final class WeakCoreReference: Sendable {
    private struct Held: Sendable {
        weak var core: NIOLoopBoundBox<SessionCore>?
    }

    private let held = Mutex(Held())

    var core: NIOLoopBoundBox<SessionCore>? { held.withLock { $0.core } }

    func listen(_ core: NIOLoopBoundBox<SessionCore>) { held.withLock { $0.core = core } }
}
