import Synchronization

/// A completion handler that a delegate was given: the first answer counts, further ones are disregarded.
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
