import Synchronization

/// A completion handler that is given to a delegate: the first call counts, further calls are ignored.
final class OneShotCompletion<Value>: Sendable {
    private let handler: Mutex<(@Sendable (Value) -> Void)?>

    init(_ handler: @escaping @Sendable (Value) -> Void) { self.handler = Mutex(handler) }

    func callAsFunction(_ value: Value) {
        let handler = handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        handler?(value)
    }
}
