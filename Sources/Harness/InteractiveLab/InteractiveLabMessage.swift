import Scenario

/// Messages from other threads to the thread of an interactive lab.
enum InteractiveLabMessage: Sendable {
    case server(ServerFact)
    case name(DNSFact)
    case breakpoint(PacketBreakpoint)
    case control(ControlRequest, ControlServer.Reply)
    /// The harness itself failed.
    case failed(String)
    /// The lab has to end: Ctrl-C was pressed, or the terminal was closed.
    case stopped
}
