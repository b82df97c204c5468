import CLinux
import Glibc
package import InternetAddresses
package import NetworkMonitor

/// Sockets created inside a namespace. All are non-blocking and close-on-exec; NIO or another owner may adopt them.
extension NetworkNamespace {
    /// Creates a listening TCP socket. Port 0 lets the kernel choose: see `OwnedDescriptor.localAddress()`.
    package func listenTCP(on address: SocketAddress, backlog: Int = 128) throws(SystemCallError) -> OwnedDescriptor {
        try perform { () throws(SystemCallError) -> OwnedDescriptor in
            let socket = try Self.socket(CW_TCP, like: address)
            try socket.withRaw { raw throws(SystemCallError) in
                _ = try SystemCallError.check(cw_socket_reuse_address(raw), "setsockopt(SO_REUSEADDR)")
                try Self.bind(raw, address)
                _ = try SystemCallError.check(
                    cw_socket_listen(raw, CInt(clamping: backlog)), "listen", "\(address)")
            }
            return socket
        }
    }

    package func bindUDP(
        on address: SocketAddress, device: String? = nil
    ) throws(SystemCallError) -> OwnedDescriptor {
        try perform { () throws(SystemCallError) -> OwnedDescriptor in
            let socket = try Self.socket(CW_UDP, like: address)
            try socket.withRaw { raw throws(SystemCallError) in
                try Self.bind(raw, toDevice: device)
                try Self.bind(raw, address)
            }
            return socket
        }
    }

    /// Starts a TCP connection; the socket becomes writable when it is established or refused (see `pendingError`).
    package func connectTCP(
        to address: SocketAddress, from source: SocketAddress? = nil, device: String? = nil
    ) throws(SystemCallError) -> OwnedDescriptor {
        try connect(CW_TCP, address, source, device, tolerating: EINPROGRESS)
    }

    /// Creates a UDP socket with a fixed peer.
    package func connectUDP(
        to address: SocketAddress, from source: SocketAddress? = nil, device: String? = nil
    ) throws(SystemCallError) -> OwnedDescriptor {
        try connect(CW_UDP, address, source, device, tolerating: 0)
    }

    private func connect(
        _ kind: cw_socket_kind, _ address: SocketAddress, _ source: SocketAddress?, _ device: String?,
        tolerating pending: CInt
    ) throws(SystemCallError) -> OwnedDescriptor {
        try perform { () throws(SystemCallError) -> OwnedDescriptor in
            let socket = try Self.socket(kind, like: address)
            try socket.withRaw { raw throws(SystemCallError) in
                try Self.bind(raw, toDevice: device)
                if let source { try Self.bind(raw, source) }
                try Self.connect(raw, address, tolerating: pending)
            }
            return socket
        }
    }

    private static func socket(
        _ kind: cw_socket_kind, like address: SocketAddress
    ) throws(SystemCallError) -> OwnedDescriptor {
        let isV6 = address.address.isV6
        let socket = try SystemCallError.descriptor(cw_socket_make(isV6 ? 1 : 0, kind), "socket")
        // Allows an IPv4 socket with the same port.
        if isV6 {
            try socket.withRaw { raw throws(SystemCallError) in
                _ = try SystemCallError.check(cw_socket_only_ipv6(raw), "setsockopt(IPV6_V6ONLY)")
            }
        }
        return socket
    }

    private static func bind(_ raw: CInt, toDevice device: String?) throws(SystemCallError) {
        guard let device else { return }
        try SystemCallError.check(
            unsafe cw_socket_bind_to_device(raw, device), "setsockopt(SO_BINDTODEVICE)", device)
    }

    private static func bind(_ raw: CInt, _ address: SocketAddress) throws(SystemCallError) {
        let bytes = address.kernelBytes
        try SystemCallError.check(unsafe cw_socket_bind(raw, bytes, UInt32(bytes.count)), "bind", "\(address)")
    }

    private static func connect(
        _ raw: CInt, _ address: SocketAddress, tolerating pending: CInt
    ) throws(SystemCallError) {
        let bytes = address.kernelBytes
        let result = unsafe cw_socket_connect(raw, bytes, UInt32(bytes.count))
        if result < 0, result == -pending { return }
        try SystemCallError.check(result, "connect", "\(address)")
    }
}

extension OwnedDescriptor {
    /// Returns the address that a socket is bound to.
    package borrowing func localAddress() throws(SystemCallError) -> SocketAddress {
        try withRaw { raw throws(SystemCallError) in
            var bytes = [UInt8](repeating: 0, count: 28)
            let count = try SystemCallError.check(
                unsafe cw_socket_name(raw, &bytes, UInt32(bytes.count)), "getsockname")
            guard let address = SocketAddress(kernelBytes: Array(bytes.prefix(Int(count)))) else {
                throw SystemCallError(call: "getsockname", errno: EAFNOSUPPORT)
            }
            return address
        }
    }

    /// Returns the next connection of a listening socket; nil if none is waiting.
    package borrowing func accept() throws(SystemCallError) -> OwnedDescriptor? {
        try withRaw { raw throws(SystemCallError) -> OwnedDescriptor? in
            let result = cw_socket_accept(raw)
            if result == -EAGAIN { return nil }
            return try SystemCallError.descriptor(result, "accept4")
        }
    }

    /// Makes the socket send RST instead of FIN when it closes (RFC 9293, section 3.10.4), and discard unsent data.
    package borrowing func resetOnClose() throws(SystemCallError) {
        try withRaw { raw throws(SystemCallError) in try SocketReset.arm(raw) }
    }
}

/// Makes a socket that another owner (NIO) closes end with RST.
package enum SocketReset {
    package static func arm(_ descriptor: CInt) throws(SystemCallError) {
        _ = try SystemCallError.check(cw_socket_reset_on_close(descriptor), "setsockopt(SO_LINGER)")
    }
}
