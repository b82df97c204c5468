import CLinux
import Glibc

/// One TUN interface: whole IP packets are read as the kernel sends them and written for the kernel to receive.
///
/// A device made with offloads also hands over trains: up to 64 KiB of one TCP or UDP flow as a single packet, to be cut into
/// segments by whoever needs single ones, and packets whose checksum is still to be completed. Each packet is then read and
/// written with a `TunHeader` that says so. The interface vanishes when this value does.
package struct TunDevice: ~Copyable, Sendable {
    package let name: String
    package let index: CInt
    package let hasOffloads: Bool
    private let descriptor: OwnedDescriptor

    /// Makes the device inside `namespace`, non-blocking, with its MTU and a queue of `queueLength` packets; it is still down.
    ///
    /// The queue is long because a full TUN queue drops silently, which would be loss that nobody asked for.
    package static func make(
        _ name: String, in namespace: NetworkNamespace, mtu: Int = 1500, queueLength: Int = 5_000,
        offloads: Bool = false
    ) throws(NetlinkError) -> TunDevice {
        let descriptor = try attach(name, in: namespace, offloads)
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

    /// Reads one packet into `slab` from `offset` on, at most `capacity` bytes. Nil when none waits.
    package borrowing func read(
        into slab: inout MutableSpan<UInt8>, at offset: Int = 0, capacity: Int? = nil
    ) throws(SystemCallError) -> Int? {
        precondition(!hasOffloads, "packets of a device with offloads come with a header")
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
        precondition(!hasOffloads, "packets of a device with offloads go with a header")
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

    /// As `read`, for a device with offloads: how long the packet is, and what is left to do about it.
    package borrowing func read(into slab: inout MutableSpan<UInt8>) throws(SystemCallError) -> (count: Int, header: TunHeader)? {
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

    /// As `write`, for a device with offloads.
    package borrowing func write(_ packet: Span<UInt8>, _ header: TunHeader) throws(SystemCallError) -> Bool {
        precondition(hasOffloads, "only a device with offloads takes a header")
        let raw = descriptor.withRaw { $0 }
        var raws = header.raw
        let count = unsafe packet.withUnsafeBufferPointer { buffer in
            unsafe cw_tun_write(raw, &raws, buffer.baseAddress, buffer.count)
        }
        return count >= 0 ? true : try isLoss(CInt(-count))
    }

    /// False: the packet is lost and the device goes on. Throws what ends the device.
    private borrowing func isLoss(_ errno: CInt) throws(SystemCallError) -> Bool {
        switch errno {
        case EAGAIN, EIO, EINVAL, ENOBUFS, ENOMEM: return false
        default: throw SystemCallError(call: "write", errno: errno, context: name)
        }
    }
}

extension SystemCallError {
    /// Whether the interface of a TUN device no longer exists: somebody in its namespace has deleted it.
    package var saysDeviceIsGone: Bool { errno == EBADFD }
}
