import Synchronization

/// Finds out whether a delegate implements a message: the default implementation of every optional message says that it is one.
///
/// Swift protocols have no optional messages, and a task delegate's silence means that the session delegate is asked (DLGT-19).
final class DelegateWitness: Sendable {
    @TaskLocal static var current: DelegateWitness?

    private let missing = Mutex(false)

    var isMissing: Bool { missing.withLock { $0 } }

    /// Called by default implementations. False: nobody asks, the message was called directly.
    static func tellMissing() -> Bool {
        guard let current else { return false }
        current.missing.withLock { $0 = true }
        return true
    }

    /// Whether `message` ran into an implementation of the delegate's own.
    static func isImplemented(_ message: () -> Void) -> Bool {
        let witness = DelegateWitness()
        $current.withValue(witness, operation: message)
        return !witness.isMissing
    }
}
