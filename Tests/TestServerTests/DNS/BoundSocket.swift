import Glibc
import NIOCore

/// A socket bound to a free port of a loopback address, like those that the lab passes to the name server; the receiver
/// closes it.
struct BoundSocket {
    let descriptor: CInt
    let address: SocketAddress

    /// Binds with plain system calls, because the adoption of foreign descriptors is tested.
    static func loopback(_ kind: __socket_type, family: CInt, port: Int = 0) throws -> BoundSocket {
        let descriptor = socket(family, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(errno: errno) }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let text = family == AF_INET ? "127.0.0.1" : "::1"
        let wanted = try SocketAddress(ipAddress: text, port: port)
        let bound = unsafe wanted.withSockAddr { pointer, size in unsafe bind(descriptor, pointer, socklen_t(size)) }
        let named = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        guard bound == 0, named == 0 else {
            let failure = Failure(errno: errno)
            _ = close(descriptor)
            throw failure
        }
        // sin_port and sin6_port are at the same offset.
        let port = unsafe withUnsafeBytes(of: &storage) { unsafe Int($0[2]) << 8 | Int($0[3]) }
        return BoundSocket(descriptor: descriptor, address: try SocketAddress(ipAddress: text, port: port))
    }

    /// Returns UDP and TCP sockets on one port. The kernel assigns a port that is free for UDP; for TCP an earlier
    /// test's connection may still linger on it.
    static func pair(family: CInt) throws -> (udp: BoundSocket, tcp: BoundSocket) {
        for attempt in 1... {
            let udp = try loopback(SOCK_DGRAM, family: family)
            do {
                return (udp, try loopback(SOCK_STREAM, family: family, port: udp.address.port ?? 0))
            } catch let failure as Failure where failure.errno == EADDRINUSE && attempt < 100 {
                _ = close(udp.descriptor)
            }
        }
        throw Failure(errno: EADDRINUSE)
    }

    struct Failure: Error { var errno: CInt }
}
