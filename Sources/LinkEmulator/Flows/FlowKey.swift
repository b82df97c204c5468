package import InternetAddresses

/// An IPv4 or IPv6 address in one fixed size.
package struct FlowAddress: Hashable, Sendable, BitwiseCopyable {
    private var high: UInt64
    private var low: UInt64
    private var isSix: Bool

    package init(_ address: IPv4Address) {
        high = 0
        low = UInt64(address.value)
        isSix = false
    }
    package init(_ address: IPv6Address) {
        high = address.high
        low = address.low
        isSix = true
    }

    /// Parses any text form of either family.
    package init?(_ text: String) {
        if let four = IPv4Address(text) {
            self.init(four)
        } else if let six = IPv6Address(text) {
            self.init(six)
        } else {
            return nil
        }
    }

    var four: IPv4Address? { isSix ? nil : IPv4Address(UInt32(truncatingIfNeeded: low)) }
    var six: IPv6Address { IPv6Address(high: high, low: low) }
}

/// One end of a flow.
struct FlowEndpoint: Hashable, Sendable, BitwiseCopyable {
    var address: FlowAddress
    var port: UInt16
}

/// The key that identifies a TCP connection of one interface; the same for packets of both directions.
struct FlowKey: Hashable, Sendable, BitwiseCopyable {
    /// The end on the client's side of the interface, regardless of which end opened the connection.
    var client: FlowEndpoint
    /// The end on the internet's side.
    var origin: FlowEndpoint

    /// Returns the end that sends packets in this direction.
    func sender(_ direction: LinkDirectionName) -> FlowEndpoint {
        switch direction {
        case .uplink: client
        case .downlink: origin
        }
    }
}
