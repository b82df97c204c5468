import Scenario

/// Messages from other threads to the thread of an interactive lab.
enum SessionMessage: Sendable {
    case server(ServerFact)
    case name(NameFact)
    case mark(PacketMark)
    case control(ControlRequest, ControlServer.Answer)
    /// The harness itself failed.
    case failed(String)
    /// The lab has to end: Ctrl-C was pressed, or the terminal was closed.
    case stopped
}
