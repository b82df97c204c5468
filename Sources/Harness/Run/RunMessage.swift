import Scenario

/// Messages from other threads to the run's thread.
enum RunMessage: Sendable {
    case server(ServerFact)
    case name(NameFact)
    case proxy(ProxyFact)
    case mark(PacketMark)
    /// The harness itself failed.
    case failed(String)
    /// Ctrl-C was pressed.
    case stopped
}
