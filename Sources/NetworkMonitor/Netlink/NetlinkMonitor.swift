import CNetlink
import Glibc

/// Receives the kernel's notifications about links, addresses, routes and rules of one namespace, as they happen and in
/// order; it never polls.
///
/// Create it first and list the state afterwards (`NetlinkSocket`): a change in between is reported, possibly once too
/// often.
package struct NetlinkMonitor: ~Copyable, Sendable {
    private let socket: OwnedDescriptor
    /// The last reported state of each interface.
    private var known: [CInt: Link] = [:]
    private var waiting: [NetworkEvent] = []
    private var buffer = [UInt8](repeating: 0, count: NetlinkMonitor.longestDatagram)

    /// The kernel splits its notifications into datagrams of at most a few pages.
    private static let longestDatagram = 65_536
    private static let groups = [
        RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR, RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE,
        RTNLGRP_IPV4_RULE,
        RTNLGRP_IPV6_RULE,
    ]

    /// Creates a monitor. `receiveBuffer` is the number of bytes of pending messages after which the kernel drops them
    /// (`overrun`); nil means the system's default, which fits some hundred messages.
    package static func make(
        in namespace: (any NetworkScope)? = nil, receiveBuffer: Int? = nil
    ) throws(NetlinkError) -> NetlinkMonitor {
        let socket: OwnedDescriptor
        do throws(SystemCallError) {
            if let namespace {
                socket = try namespace.perform { () throws(SystemCallError) in try open(receiveBuffer) }
            } else {
                socket = try open(receiveBuffer)
            }
        } catch {
            throw .system(error)
        }
        var monitor = NetlinkMonitor(socket: socket)
        try monitor.learn(in: namespace)
        return monitor
    }

    private init(socket: consuming OwnedDescriptor) { self.socket = socket }

    /// Reads the current interfaces. Otherwise the first message about an interface could not show what changed.
    private mutating func learn(in namespace: (any NetworkScope)?) throws(NetlinkError) {
        for link in try NetlinkSocket(in: namespace).links() { known[link.index] = link }
    }

    private static func open(_ receiveBuffer: Int?) throws(SystemCallError) -> OwnedDescriptor {
        let kind = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let socket = try SystemCallError.descriptor(
            Glibc.socket(AF_NETLINK, kind, NETLINK_ROUTE).orErrno, "socket(AF_NETLINK)")
        try socket.withRaw { raw throws(SystemCallError) in
            if let receiveBuffer {
                try set(raw, SOL_SOCKET, SO_RCVBUF, CInt(clamping: receiveBuffer), "setsockopt(SO_RCVBUF)")
            }
            var address = sockaddr_nl()
            address.nl_family = sa_family_t(AF_NETLINK)
            let size = socklen_t(MemoryLayout<sockaddr_nl>.size)
            let bound = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(raw, $0, size).orErrno }
            }
            try SystemCallError.check(bound, "bind(AF_NETLINK)")
            for group in groups {
                try set(
                    raw, 270 /* SOL_NETLINK */, NETLINK_ADD_MEMBERSHIP, CInt(group.rawValue),
                    "setsockopt(NETLINK_ADD_MEMBERSHIP)")
            }
        }
        return socket
    }

    private static func set(
        _ raw: CInt, _ level: CInt, _ option: CInt, _ value: CInt, _ call: String
    ) throws(SystemCallError) {
        var value = value
        try SystemCallError.check(
            unsafe setsockopt(raw, level, option, &value, socklen_t(MemoryLayout<CInt>.size)).orErrno, call)
    }

    /// Lends the descriptor to a `Poller`: readable means that `next(until:)` has messages to process.
    package borrowing func withRaw<Value: ~Copyable, Failure: Error>(
        _ body: (CInt) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try socket.withRaw(body)
    }

    /// Returns the next event; blocks until there is one. Returns nil at `deadline` (CLOCK_MONOTONIC nanoseconds; a
    /// deadline in the past only checks).
    package mutating func next(until deadline: Int64 = MonotonicClock.never) throws(SystemCallError) -> NetworkEvent? {
        while waiting.isEmpty {
            if try receive() { continue }
            let readiness = try socket.withRaw { raw throws(SystemCallError) in
                try Poller.wait(for: raw, .readable, until: deadline)
            }
            // A datagram may have arrived exactly at the deadline.
            if readiness.isEmpty, try !receive() { return nil }
        }
        return waiting.removeFirst()
    }

    /// Parses one datagram; returns false if none is waiting.
    private mutating func receive() throws(SystemCallError) -> Bool {
        let raw = socket.withRaw { $0 }
        // MSG_TRUNC returns the true length, so that a truncated datagram is detected.
        let count = unsafe recv(raw, &buffer, buffer.count, CInt(MSG_TRUNC)).orErrno
        if count >= 0 {
            if count > buffer.count { try resynchronise() } else { note(buffer.prefix(count)) }
            return true
        }
        switch CInt(-count) {
        case EAGAIN: return false
        case EINTR: return true
        case ENOBUFS:
            try resynchronise()
            return true
        default: throw SystemCallError(call: "recv(AF_NETLINK)", errno: CInt(-count))
        }
    }

    /// Discards the pending messages. They are older than the lost ones, so a query of the state replaces them.
    private mutating func resynchronise() throws(SystemCallError) {
        let raw = socket.withRaw { $0 }
        while true {
            let count = unsafe recv(raw, &buffer, buffer.count, 0).orErrno
            if count == -Int(EAGAIN) { break }
            guard count >= 0 || count == -Int(EINTR) || count == -Int(ENOBUFS) else {
                throw SystemCallError(call: "recv(AF_NETLINK)", errno: CInt(-count))
            }
        }
        waiting.append(.overrun)
    }

    /// Parses pairs of `struct nlmsghdr` and body, one after the other.
    private mutating func note(_ datagram: ArraySlice<UInt8>) {
        var rest = datagram
        while rest.count >= 16 {
            let length = Int(UInt32(hostBytes: rest.prefix(4)))
            guard length >= 16, length <= rest.count else { return }
            let type = Int(UInt16(hostBytes: rest.dropFirst(4).prefix(2)))
            let body = Array(rest.prefix(length).dropFirst(16))
            if let event = NetworkEvent(type: type, body: body, known: &known) { waiting.append(event) }
            rest = rest.dropFirst((length + 3) & ~3)
        }
    }
}
