/// Passes a connection's events to its listener, and keeps those that arrive before the connection pool listens.
final class HTTP2EventRelay {
    private var listener: ((HTTP2Connection.Event) -> Void)?
    private var early: [HTTP2Connection.Event] = []

    func receive(_ event: HTTP2Connection.Event) {
        if let listener { listener(event) } else { early.append(event) }
    }

    /// Sets the listener and passes it the events that arrived before; nil drops all events.
    func listen(_ listener: ((HTTP2Connection.Event) -> Void)?) {
        self.listener = listener
        let missed = early
        early = []
        for event in missed { listener?(event) }
    }
}
