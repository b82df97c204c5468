internal import CLinux
internal import Glibc

/// A connected or listening Unix stream socket, closed when it is released. All calls block.
package final class LocalSocket: Sendable {
    /// The descriptor, for waiting; it stays owned by this object.
    package let descriptor: CInt

    /// Takes over an open descriptor, for example one that systemd passed.
    package init(adopting descriptor: CInt) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    private static func make() throws(SocketError) -> LocalSocket {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SocketError("socket", errno) }
        return LocalSocket(adopting: descriptor)
    }

    /// Connects to the socket file at `path`. Throws with the errno of connect(2).
    ///
    /// If `waits` is false, it throws EAGAIN at once when the listener's queue of connections is full; calls on the
    /// connection block in either case.
    package static func connect(to path: String, waits: Bool = true) throws(SocketError) -> LocalSocket {
        let socket = try make()
        let descriptor = socket.descriptor
        let flags = fcntl(descriptor, F_GETFL)
        if !waits { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
        defer { if !waits { _ = fcntl(descriptor, F_SETFL, flags) } }
        let problem = unsafe try withAddress(of: path) { address, length in
            while unsafe Glibc.connect(descriptor, address, length) != 0 {
                if errno != EINTR { return errno }
            }
            return 0
        }
        guard problem == 0 else { throw SocketError(path, problem) }
        return socket
    }

    /// Listens on a socket file that only this user can open (mode 0600). The file must not exist.
    package static func listen(at path: String) throws(SocketError) -> LocalSocket {
        let socket = try make()
        let descriptor = socket.descriptor
        // The mask is of the whole process: the daemon calls this before it has other threads.
        let mask = umask(0o177)
        defer { umask(mask) }
        let problem = unsafe try withAddress(of: path) { address, length in
            unsafe bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 64) == 0 ? 0 : errno
        }
        guard problem == 0 else { throw SocketError(path, problem) }
        return socket
    }

    /// Waits for the next connection; nil after `shutDown()`.
    package func accept() -> LocalSocket? {
        while true {
            let accepted = cw_socket_accept(descriptor)
            if accepted >= 0 {
                _ = fcntl(accepted, F_SETFL, fcntl(accepted, F_GETFL) & ~O_NONBLOCK)
                return LocalSocket(adopting: accepted)
            }
            switch -accepted {
            case ECONNABORTED: continue
            // Another connection ends at some time; until then the listener must not spin.
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(100_000)
            default: return nil
            }
        }
    }

    /// The user and process at the other end, as the kernel recorded them when the connection was made (unix(7),
    /// SO_PEERCRED); nil if that is not known.
    package var peer: (user: UInt32, process: Int32)? {
        // struct ucred: pid, uid, gid
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(12)
        let result = unsafe credentials.withUnsafeMutableBytes {
            unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, $0.baseAddress, &length)
        }
        guard result == 0, length == 12 else { return nil }
        return (credentials[1], Int32(bitPattern: credentials[0]))
    }

    /// Sends all bytes. Returns false when the connection is gone.
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Waits for the next bytes, at most 64 KiB; nil at the end of the connection.
    package func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            return count > 0 ? Array(buffer.prefix(count)) : nil
        }
    }

    /// True if the other end has closed the connection, also while bytes wait to be read.
    package var isClosedByPeer: Bool {
        var request = pollfd(fd: descriptor, events: 0, revents: 0)
        return unsafe poll(&request, 1, 0) > 0 && Int32(request.revents) & (POLLHUP | POLLERR) != 0
    }

    /// Ends both directions; calls that wait return.
    package func shutDown() { _ = shutdown(descriptor, CInt(SHUT_RDWR)) }

    private static func withAddress(
        of path: String, _ use: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws(SocketError) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // The last byte is zero.
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw SocketError(path, ENAMETOOLONG) }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe use($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// A failed call on a socket.
package struct SocketError: Error, Hashable, CustomStringConvertible {
    /// The path of the socket, or the name of the call.
    package let subject: String
    package let number: CInt

    init(_ subject: String, _ number: CInt) {
        self.subject = subject
        self.number = number
    }

    package var description: String { "\(subject): \(unsafe String(cString: strerror(number)))" }

    /// False for other errors than a missing listener.
    package var meansNobodyListens: Bool { number == ENOENT || number == ECONNREFUSED }
}

extension SocketError {
    /// Someone else listens at the path.
    package static func notOurs(_ path: String) -> SocketError { SocketError(path, EPERM) }
}
