import Synchronization

/// A completion handler that a delegate was given: the first answer counts, further ones are disregarded.
final class OneAnswer<Answer>: Sendable {
    private let give: Mutex<(@Sendable (Answer) -> Void)?>

    init(_ give: @escaping @Sendable (Answer) -> Void) { self.give = Mutex(give) }

    func callAsFunction(_ answer: Answer) {
        let give = give.withLock { give in
            defer { give = nil }
            return give
        }
        give?(answer)
    }
}
