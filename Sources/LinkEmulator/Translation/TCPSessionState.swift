/// The TCP session state machine of a NAT64 (RFC 6146 §3.5.2.2).
enum TCPSessionState: Hashable, Sendable {
    case initiatedByIPv4, initiatedByIPv6, established, finishedByIPv4, finishedByIPv6, finishedByBoth, transitory

    enum Lifetime: Hashable, Sendable { case established, transitory, unchanged }

    /// Returns the state of a connection whose first packet is a SYN from this side.
    static func opened(by side: IPVersion) -> TCPSessionState {
        switch side {
        case .v4: .initiatedByIPv4
        case .v6: .initiatedByIPv6
        }
    }

    mutating func handle(_ flags: TCPHeader.Flags, from side: IPVersion) -> Lifetime {
        let isReset = flags.contains(.rst)
        let isFinish = flags.contains(.fin)
        switch self {
        case .initiatedByIPv4, .initiatedByIPv6:
            guard flags.contains(.syn) else { return .unchanged }
            if self == Self.opened(by: side) { return .transitory }
            self = .established
            return .established
        case .established:
            if isReset {
                self = .transitory
                return .transitory
            }
            if isFinish { self = side == .v4 ? .finishedByIPv4 : .finishedByIPv6 }
            return .established
        case .finishedByIPv4, .finishedByIPv6:
            guard isFinish, (self == .finishedByIPv4) == (side == .v6) else { return .established }
            self = .finishedByBoth
            return .transitory
        case .finishedByBoth:
            return .unchanged
        case .transitory:
            // A reset may be forged; any later packet shows that the connection is alive.
            if isReset { return .unchanged }
            self = .established
            return .established
        }
    }
}
