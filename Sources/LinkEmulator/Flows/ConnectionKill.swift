/// The ways to end a connection from the middle of the path.
package enum ConnectionKill: Hashable, Sendable {
    /// All its packets are dropped without a notification to either end (a NAT that lost the mapping).
    case silently
    /// As `silently`, and these ends receive a RST now and in reply to every later segment.
    case reset(client: Bool, origin: Bool)

    /// Returns true if the end that sends packets in this direction receives a RST.
    func resetsSender(of direction: FlowDirection) -> Bool {
        switch self {
        case .silently: false
        case .reset(let client, let origin):
            switch direction {
            case .uplink: client
            case .downlink: origin
            }
        }
    }
}
