import Scenario

/// What other threads tell the run's thread.
enum RunMessage: Sendable {
    case server(ServerFact)
    case name(NameFact)
    case proxy(ProxyFact)
    case mark(PacketMark)
    /// Our own side broke.
    case failed(String)
    /// Somebody pressed Ctrl-C.
    case stopped
}
