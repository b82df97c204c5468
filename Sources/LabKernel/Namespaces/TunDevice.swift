import CLabKernel
import Glibc
package import NetworkMonitor

/// A TUN interface: whole IP packets are read as the kernel sends them and written for the kernel to receive.
///
/// A device with offloads also passes GSO packets, up to 64 KiB of one TCP or UDP flow as a single packet, which a
/// receiver that needs single packets must segment, and packets with a partial checksum. Each packet is then read and
/// written with a `TunHeader` that describes this.
package struct TunDevice: ~Copyable, Sendable {
    package let name: String
    package let index: CInt
    package let hasOffloads: Bool
    private let descriptor: OwnedDescriptor

    /// Creates the non-blocking device inside `namespace`, with its MTU and a queue of `queueLength` packets. It is
    /// down.
    ///
    /// The interface goes together with its namespace, not with this value. To remove a single interface keeps the caller
    /// waiting for the kernel (an RCU grace period and its callbacks, 15 to 35 ms); the kernel's own worker removes a
    /// namespace, without a caller that waits.
    ///
    /// The queue is long because a full TUN queue drops silently, which would be loss that no condition requested.
    package static func make(
        _ name: String, in namespace: NetworkNamespace, mtu: Int = 1500, queueLength: Int = 5_000,
        offloads: Bool = false
    ) throws(NetlinkError) -> TunDevice {
        let descriptor = try attach(name, in: namespace, offloads)
        do throws(SystemCallError) {
            try SystemCallError.check(
                descriptor.withRaw { cw_tun_leave_to_namespace($0) }, "ioctl(TUNSETPERSIST)", name)
        } catch {
            throw .system(error)
        }
        let netlink = try NetlinkSocket(in: namespace)
        let link = try netlink.link(named: name)
        try netlink.change(link.index, LinkChange(mtu: mtu, queueLength: queueLength))
        return TunDevice(name: name, index: link.index, hasOffloads: offloads, descriptor: descriptor)
    }

    private static func attach(
        _ name: String, in namespace: NetworkNamespace, _ offloads: Bool
    ) throws(NetlinkError) -> OwnedDescriptor {
        do throws(SystemCallError) {
            return try namespace.perform { () throws(SystemCallError) -> OwnedDescriptor in
                var stage: CInt = 0
                let result = unsafe cw_tun_attach(name, offloads ? 1 : 0, &stage)
                return try SystemCallError.descriptor(
                    result, call(of: stage), stage == CInt(CW_TUN_OPEN.rawValue) ? "/dev/net/tun" : name)
            }
        } catch {
            throw .system(error)
        }
    }

    private static func call(of stage: CInt) -> String {
        switch UInt32(stage) {
        case CW_TUN_OPEN.rawValue: "open"
        case CW_TUN_OFFLOAD.rawValue: "ioctl(TUNSETOFFLOAD)"
        default: "ioctl(TUNSETIFF)"
        }
    }

    private init(name: String, index: CInt, hasOffloads: Bool, descriptor: consuming OwnedDescriptor) {
        self.name = name
        self.index = index
        self.hasOffloads = hasOffloads
        self.descriptor = descriptor
    }

    package borrowing func withRaw<Value: ~Copyable, Failure: Error>(
        _ body: (CInt) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try descriptor.withRaw(body)
    }

    /// Reads one packet into `slab` from `offset` on, at most `capacity` bytes. Returns nil if none is waiting.
    package borrowing func read(
        into slab: inout MutableSpan<UInt8>, at offset: Int = 0, capacity: Int? = nil
    ) throws(SystemCallError) -> Int? {
        precondition(!hasOffloads, "packets of a device with offloads are read with a header")
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

    /// Writes one packet to the kernel. Returns false if the packet is lost: the write would block, the interface is
    /// down (EIO), or the bytes are not an IP packet (EINVAL), for example after corruption on the link.
    package borrowing func write(_ packet: Span<UInt8>) throws(SystemCallError) -> Bool {
        precondition(!hasOffloads, "packets of a device with offloads are written with a header")
        let raw = descriptor.withRaw { $0 }
        while true {
            let count = unsafe packet.withUnsafeBufferPointer { buffer in
                unsafe Glibc.write(raw, buffer.baseAddress, buffer.count).orErrno
            }
            if count >= 0 { return true }
            if CInt(-count) == EINTR { continue }
            return try isLoss(CInt(-count))
        }
    }

    /// Reads one packet of a device with offloads; returns its length and its header.
    package borrowing func read(into slab: inout MutableSpan<UInt8>) throws(SystemCallError) -> (
        count: Int, header: TunHeader
    )? {
        precondition(hasOffloads, "only a device with offloads sends a header")
        let raw = descriptor.withRaw { $0 }
        var header = cw_tun_header()
        let count = unsafe slab.withUnsafeMutableBufferPointer { buffer in
            unsafe cw_tun_read(raw, &header, buffer.baseAddress, buffer.count)
        }
        if count >= 0 { return (Int(count), TunHeader(header)) }
        if CInt(-count) == EAGAIN { return nil }
        throw SystemCallError(call: "read", errno: CInt(-count), context: name)
    }

    /// Writes one packet to a device with offloads.
    package borrowing func write(_ packet: Span<UInt8>, _ header: TunHeader) throws(SystemCallError) -> Bool {
        precondition(hasOffloads, "only a device with offloads takes a header")
        let raw = descriptor.withRaw { $0 }
        var raws = header.raw
        let count = unsafe packet.withUnsafeBufferPointer { buffer in
            unsafe cw_tun_write(raw, &raws, buffer.baseAddress, buffer.count)
        }
        return count >= 0 ? true : try isLoss(CInt(-count))
    }

    /// Returns false if the device still works and only the packet is lost. Throws an error that ends the device.
    private borrowing func isLoss(_ errno: CInt) throws(SystemCallError) -> Bool {
        switch errno {
        case EAGAIN, EIO, EINVAL, ENOBUFS, ENOMEM: return false
        default: throw SystemCallError(call: "write", errno: errno, context: name)
        }
    }
}

extension SystemCallError {
    /// True if the interface of a TUN device no longer exists, because it was deleted in its namespace.
    package var deviceHasDisappeared: Bool { errno == EBADFD }
}
