/// Carries a connection's events to whoever listens by now: some come before the connection is in the pool's books.
final class HTTP2EventRelay {
    private var listener: ((HTTP2Connection.Event) -> Void)?
    private var early: [HTTP2Connection.Event] = []

    func receive(_ event: HTTP2Connection.Event) {
        if let listener { listener(event) } else { early.append(event) }
    }

    /// nil: nobody wants to hear any more.
    func listen(_ listener: ((HTTP2Connection.Event) -> Void)?) {
        self.listener = listener
        let missed = early
        early = []
        for event in missed { listener?(event) }
    }
}
