import NIOCore
import Synchronization

/// Through which the path monitor, which begins before the session's state is made and may end after it, reaches that state.
final class WeakCoreReference: Sendable {
    private struct Held: Sendable {
        weak var core: NIOLoopBoundBox<SessionCore>?
    }

    private let held = Mutex(Held())

    var core: NIOLoopBoundBox<SessionCore>? { held.withLock { $0.core } }

    func listen(_ core: NIOLoopBoundBox<SessionCore>) { held.withLock { $0.core = core } }
}
