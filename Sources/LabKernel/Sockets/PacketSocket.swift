import CLabKernel
import Glibc
package import NetworkMonitor

/// A copy of the layer-3 packets of one interface, in both directions.
package struct PacketSocket: ~Copyable, Sendable {
    private let descriptor: OwnedDescriptor

    package static func make(_ interface: CInt, in namespace: NetworkNamespace) throws(SystemCallError) -> PacketSocket
    {
        PacketSocket(
            descriptor: try namespace.perform { () throws(SystemCallError) -> OwnedDescriptor in
                try SystemCallError.descriptor(cw_packet_open(interface), "socket(AF_PACKET)")
            })
    }

    private init(descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

    package borrowing func withRaw<Value: ~Copyable, Failure: Error>(
        _ body: (CInt) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try descriptor.withRaw(body)
    }

    package struct Seen: Hashable, Sendable {
        package let length: Int
        package let isOutgoing: Bool
        /// False for ARP and other packets that are not IP.
        package let isIP: Bool
    }

    /// Reads one packet into `buffer`, truncated to its size. Returns nil if none is waiting.
    package borrowing func receive(into buffer: inout [UInt8]) throws(SystemCallError) -> Seen? {
        let raw = descriptor.withRaw { $0 }
        var outgoing: CInt = 0
        var isIP: CInt = 0
        let count = unsafe cw_packet_receive(raw, &buffer, buffer.count, &outgoing, &isIP)
        // ENETDOWN is reported once when the interface goes down.
        if count == -Int64(EAGAIN) || count == -Int64(ENETDOWN) { return nil }
        return Seen(
            length: Int(try SystemCallError.check(count, "recvfrom")), isOutgoing: outgoing != 0, isIP: isIP != 0)
    }
}
