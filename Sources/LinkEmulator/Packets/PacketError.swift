/// The reason why bytes are not a packet of the expected kind.
package enum PacketError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Layer: String, Hashable, Sendable {
        case ipv4 = "IPv4"
        case ipv6 = "IPv6"
        case ipv6Extension = "IPv6 extension"
        case tcp = "TCP"
        case udp = "UDP"
        case icmp = "ICMP"
    }
    case empty
    /// The first four bits are neither 4 nor 6.
    case unknownVersion(UInt8)
    /// The header, or the length it states, needs more bytes than there are.
    case truncated(Layer, needed: Int, found: Int)
    /// A length field contradicts the format itself.
    case impossibleLength(Layer, Int)

    package var description: String {
        switch self {
        case .empty: "the packet is empty"
        case .unknownVersion(let version): "IP version \(version); only 4 and 6 are supported"
        case .truncated(let layer, let needed, let found): "\(layer.rawValue) needs \(needed) bytes, found \(found)"
        case .impossibleLength(let layer, let length): "\(layer.rawValue) states the impossible length \(length)"
        }
    }
}
