import Scenario

/// Messages from other threads to the run's thread.
enum RunMessage: Sendable {
    case server(ServerFact)
    case name(DNSFact)
    case proxy(ProxyFact)
    case breakpoint(PacketBreakpoint)
    /// The harness itself failed.
    case failed(String)
    /// Ctrl-C was pressed.
    case stopped
}
