import Scenario

/// What other threads tell the session's thread.
enum SessionMessage: Sendable {
    case server(ServerFact)
    case name(NameFact)
    case mark(PacketMark)
    case control(ControlRequest, ControlServer.Answer)
    /// Our own side broke.
    case failed(String)
    /// Somebody wants it to end: Ctrl-C, or the terminal is gone.
    case stopped
}
