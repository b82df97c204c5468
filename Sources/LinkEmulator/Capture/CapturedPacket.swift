/// A layer-3 packet of a capture file.
package struct CapturedPacket: Hashable, Sendable {
    /// Nanoseconds since the Unix epoch.
    package var time: Int64
    /// The captured bytes, from the IP header on; a capture with a snap length cuts long packets.
    package var bytes: ArraySlice<UInt8>

    package init(time: Int64, bytes: ArraySlice<UInt8>) {
        self.time = time
        self.bytes = bytes
    }
}

/// The reason that a file is not a usable capture.
package enum PcapngError: Error, Hashable, Sendable, CustomStringConvertible {
    case classicPcap
    case notPcapng
    case truncated(offset: Int)
    case malformed(offset: Int, String)
    /// No packet can be read, because all have such link types.
    case linkTypes([UInt16])

    package var description: String {
        switch self {
        case .classicPcap:
            "it is a pcap file, not a pcapng file; convert it with: editcap -F pcapng OLD.pcap NEW.pcapng"
        case .notPcapng: "it does not begin with the header of a pcapng file"
        case .truncated(let offset): "it is cut off in the block at byte \(offset); capture or copy it again"
        case .malformed(let offset, let what): "the block at byte \(offset) is malformed: \(what)"
        case .linkTypes(let types):
            "its packets have the link type \(types.map(String.init).joined(separator: ", ")); Ethernet, Linux cooked and raw IP can be read"
        }
    }
}
