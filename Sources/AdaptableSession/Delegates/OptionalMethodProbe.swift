import Synchronization

/// Finds out whether a delegate implements a method: the default implementation of every optional method reports that it was called.
///
/// Swift protocols have no optional methods, and a method that the task's delegate leaves out goes to the session's (DLGT-19).
final class OptionalMethodProbe: Sendable {
    private enum State { case asking, missing, implemented }

    @TaskLocal private static var current: OptionalMethodProbe?

    /// A delegate may forward to another one; only its own default implementations count.
    private let delegate: ObjectIdentifier
    private let state = Mutex(State.asking)

    private init(_ delegate: AnyObject) { self.delegate = ObjectIdentifier(delegate) }

    private var isMissing: Bool { state.withLock { $0 == .missing } }

    /// Called by default implementations. False: nobody asks, the method was called directly.
    static func markMissing(_ delegate: AnyObject) -> Bool {
        guard let current, current.delegate == ObjectIdentifier(delegate) else { return false }
        return current.state.withLock { state in
            if state == .implemented { return false }
            state = .missing
            return true
        }
    }

    /// Whether `message` ran into an implementation of the delegate's own.
    static func isImplemented(by delegate: AnyObject, _ message: () -> Void) -> Bool {
        let probe = OptionalMethodProbe(delegate)
        $current.withValue(probe, operation: message)
        return probe.close()
    }

    /// From here on a default implementation answers as if it were called directly.
    private func close() -> Bool {
        state.withLock { state in
            if state == .asking { state = .implemented }
            return state == .implemented
        }
    }

    /// Answers with what an asynchronous method returns. False: the method is a default implementation, and nothing is answered.
    ///
    /// A default implementation runs on its caller's thread, so that this is known when the first part of the task has run.
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

    /// The default implementation of a method with a completion handler: the method's asynchronous form, and where that is a default
    /// implementation as well, `otherwise`.
    static func answer<Answer: Sendable>(
        for delegate: AnyObject, _ completionHandler: @escaping @Sendable (Answer) -> Void, otherwise: Answer,
        _ method: @escaping @Sendable () async -> Answer
    ) {
        if hasResponse(by: delegate, completionHandler, method) || markMissing(delegate) { return }
        completionHandler(otherwise)
    }
}
