import Foundation
import Synchronization

/// A `Progress` with a localized description of its load (PROG-04), which this platform's `Progress` lacks.
///
/// It acts on its task inside `cancel()`, `pause()` and `resume()`: the handlers of `Progress` run later and
/// concurrently, so that a pause and a resume could be swapped.
///
/// `@unchecked` is safe: all stored properties are locks. A non-final subclass cannot be checked as `Sendable`.
final class LoadProgress: Progress, @unchecked Sendable {
    struct Shown {
        var percent: Int64 = 0
        var bytes: Int64 = 0
        /// The total number of bytes; nil when it is not known.
        var allBytes: Int64?
    }

    /// The described state; nil for an empty description.
    private let shown: Mutex<Shown?>

    struct Actions: Sendable {
        var cancel: @Sendable () -> Void = {}
        var pause: @Sendable () -> Void = {}
        var resume: @Sendable () -> Void = {}
    }
    private let actions = Mutex(Actions())

    init() {
        shown = Mutex(Shown())
        super.init(parent: nil, userInfo: nil)
    }

    func act(_ now: Actions) { actions.withLock { $0 = now } }

    override func cancel() {
        super.cancel()
        actions.withLock { $0.cancel }()
    }

    override func pause() {
        super.pause()
        actions.withLock { $0.pause }()
    }

    override func resume() {
        super.resume()
        actions.withLock { $0.resume }()
    }

    func show(_ now: Shown?) { shown.withLock { $0 = now } }

    override var localizedDescription: String! {
        shown.withLock { $0 }.map { "\($0.percent)% completed" } ?? ""
    }

    override var localizedAdditionalDescription: String! {
        guard let now = shown.withLock({ $0 }) else { return "" }
        return now.allBytes.map { "\(now.bytes) of \($0) bytes" } ?? "\(now.bytes) bytes"
    }
}
