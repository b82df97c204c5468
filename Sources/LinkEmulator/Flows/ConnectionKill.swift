/// The ways to end a connection from the middle of the path.
package enum ConnectionKill: Hashable, Sendable {
    /// All its packets are dropped in both directions, without a notification to either end (a NAT that lost its
    /// mapping).
    case silently
    /// As `silently`, and these ends receive a RST now and in reply to every later segment, with a sequence number that
    /// they must accept (RFC 5961 §3.2).
    case reset(Sides)

    package enum Sides: String, CaseIterable, Hashable, Sendable { case client, server, both }

    /// Returns true if the end that sends packets in this direction receives a RST.
    func resetsSender(of direction: LinkDirectionName) -> Bool {
        switch (self, direction) {
        case (.silently, _), (.reset(.client), .downlink), (.reset(.server), .uplink): false
        case (.reset(.both), _), (.reset(.client), .uplink), (.reset(.server), .downlink): true
        }
    }
}
