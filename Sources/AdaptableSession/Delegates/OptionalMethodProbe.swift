import Synchronization

/// Detects whether a delegate implements a method: the default implementation of every optional method reports that it
/// was called.
///
/// Swift protocols do not have optional methods, but a method that the task's delegate does not implement is called on
/// the session's delegate (DLGT-19).
final class OptionalMethodProbe: Sendable {
    private enum State { case asking, missing, implemented }

    @TaskLocal private static var current: OptionalMethodProbe?

    /// Only the default implementations of this delegate count: a delegate may forward calls to another one.
    private let delegate: ObjectIdentifier
    private let state = Mutex(State.asking)

    private init(_ delegate: AnyObject) { self.delegate = ObjectIdentifier(delegate) }

    private var isMissing: Bool { state.withLock { $0 == .missing } }

    /// Called by default implementations. Returns false if no probe is running for this delegate, so the method was
    /// called directly.
    static func markMissing(_ delegate: AnyObject) -> Bool {
        guard let current, current.delegate == ObjectIdentifier(delegate) else { return false }
        return current.state.withLock { state in
            if state == .implemented { return false }
            state = .missing
            return true
        }
    }

    /// Returns true if `message` called an implementation of the delegate's, not a default implementation.
    static func isImplemented(by delegate: AnyObject, _ message: () -> Void) -> Bool {
        let probe = OptionalMethodProbe(delegate)
        $current.withValue(probe, operation: message)
        return probe.close()
    }

    /// Ends the probe: from here on a default implementation behaves as if it were called directly.
    private func close() -> Bool {
        state.withLock { state in
            if state == .asking { state = .implemented }
            return state == .implemented
        }
    }

    /// Calls the asynchronous form of a method and passes its result to the completion handler. Returns false if that
    /// form is a default implementation; the completion handler is then not called.
    ///
    /// A default implementation runs on its caller's thread, so this is known when the first part of the task has run.
    static func hasResponse<Answer>(
        by delegate: AnyObject, _ completionHandler: @escaping @Sendable (Answer) -> Void,
        _ method: @escaping @Sendable () async -> Answer
    ) -> Bool {
        let probe = OptionalMethodProbe(delegate)
        return isImplemented(probe) {
            Task.immediate {
                let answer = await method()
                if !probe.isMissing { completionHandler(answer) }
            }
        }
    }

    private static func isImplemented(_ probe: OptionalMethodProbe, _ start: () -> Task<Void, Never>) -> Bool {
        _ = $current.withValue(probe, operation: start)
        return probe.close()
    }

    /// Implements the default of a method with a completion handler: calls the method's asynchronous form, or completes
    /// with `otherwise` if that is a default implementation too.
    static func answer<Answer: Sendable>(
        for delegate: AnyObject, _ completionHandler: @escaping @Sendable (Answer) -> Void, otherwise: Answer,
        _ method: @escaping @Sendable () async -> Answer
    ) {
        if hasResponse(by: delegate, completionHandler, method) || markMissing(delegate) { return }
        completionHandler(otherwise)
    }
}
