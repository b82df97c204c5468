import CLinux
import Glibc

/// One TUN interface: whole IP packets are read as the kernel sends them and written for the kernel to receive.
///
/// The interface vanishes when this value does.
package struct TunDevice: ~Copyable, Sendable {
    package let name: String
    package let index: CInt
    private let descriptor: OwnedDescriptor

    /// Makes the device inside `namespace`, non-blocking, with its MTU and a queue of `queueLength` packets; it is still down.
    ///
    /// The queue is long because a full TUN queue drops silently, which would be loss that nobody asked for.
    package static func make(
        _ name: String, in namespace: NetworkNamespace, mtu: Int = 1500, queueLength: Int = 5_000
    ) throws(NetlinkError) -> TunDevice {
        let descriptor = try attach(name, in: namespace)
        let netlink = try NetlinkSocket(in: namespace)
        let link = try netlink.link(named: name)
        try netlink.change(link.index, LinkChange(mtu: mtu, queueLength: queueLength))
        return TunDevice(name: name, index: link.index, descriptor: descriptor)
    }

    private static func attach(_ name: String, in namespace: NetworkNamespace) throws(NetlinkError) -> OwnedDescriptor {
        do throws(SystemCallError) {
            return try namespace.perform { () throws(SystemCallError) -> OwnedDescriptor in
                var stage: CInt = 0
                let result = unsafe cw_tun_attach(name, &stage)
                let opening = stage == CInt(CW_TUN_OPEN.rawValue)
                return try SystemCallError.descriptor(
                    result, opening ? "open" : "ioctl(TUNSETIFF)", opening ? "/dev/net/tun" : name)
            }
        } catch {
            throw .system(error)
        }
    }

    private init(name: String, index: CInt, descriptor: consuming OwnedDescriptor) {
        self.name = name
        self.index = index
        self.descriptor = descriptor
    }

    package borrowing func withRaw<Value: ~Copyable, Failure: Error>(
        _ body: (CInt) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try descriptor.withRaw(body)
    }

    /// Reads one packet into `slab` from `offset` on, at most `capacity` bytes. Nil when none waits.
    package borrowing func read(
        into slab: inout MutableSpan<UInt8>, at offset: Int = 0, capacity: Int? = nil
    ) throws(SystemCallError) -> Int? {
        let room = min(capacity ?? Int.max, slab.count - offset)
        precondition(offset >= 0 && room > 0, "the packet must go inside the slab")
        let raw = descriptor.withRaw { $0 }
        while true {
            let count = unsafe slab.withUnsafeMutableBufferPointer { buffer in
                unsafe Glibc.read(raw, buffer.baseAddress! + offset, room).orErrno
            }
            if count >= 0 { return count }
            switch CInt(-count) {
            case EINTR: continue
            case EAGAIN: return nil
            default: throw SystemCallError(call: "read", errno: CInt(-count), context: name)
            }
        }
    }

    package borrowing func read(
        into slab: inout [UInt8], at offset: Int = 0, capacity: Int? = nil
    ) throws(SystemCallError) -> Int? {
        var span = slab.mutableSpan
        return try read(into: &span, at: offset, capacity: capacity)
    }

    /// Hands one packet to the kernel. False when the packet is lost: it would block, the interface is down (EIO), or the bytes
    /// are no IP packet (EINVAL), which corruption on the way may have done to them.
    package borrowing func write(_ packet: Span<UInt8>) throws(SystemCallError) -> Bool {
        let raw = descriptor.withRaw { $0 }
        while true {
            let count = unsafe packet.withUnsafeBufferPointer { buffer in
                unsafe Glibc.write(raw, buffer.baseAddress, buffer.count).orErrno
            }
            if count >= 0 { return true }
            switch CInt(-count) {
            case EINTR: continue
            case EAGAIN, EIO, EINVAL, ENOBUFS, ENOMEM: return false
            default: throw SystemCallError(call: "write", errno: CInt(-count), context: name)
            }
        }
    }
}
