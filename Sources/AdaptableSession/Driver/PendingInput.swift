import Glibc
import NIOCore

/// Detects input of a connection that the kernel has received and its event loop has not read yet.
///
/// The end of an idle connection is in the kernel before the loop reads it: for one or more turns of the loop, longer
/// if that is busy. curl checks before it reuses a connection for the same reason.
struct PendingInput {
    private let channel: any Channel
    /// Nil for a channel without a socket.
    private let descriptor: CInt?

    /// Looks the socket up once: this takes a cast that is slow, and connections check before every request.
    init(of channel: any Channel) {
        self.channel = channel
        descriptor = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { $0 }
    }

    /// True if bytes, the end of the connection or an error wait in the socket, or if it is closed. Consumes nothing,
    /// never blocks and costs one system call. Use on the channel's event loop. False for a channel without a socket.
    var exists: Bool {
        // A closed channel has given its descriptor back; another file may have it.
        guard channel.isActive else { return true }
        return descriptor.map(Self.exists) ?? false
    }

    private static func exists(on descriptor: CInt) -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = unsafe recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
            if count >= 0 { return true }
            switch errno {
            case EINTR: continue
            case EAGAIN: return false
            default: return true
            }
        }
    }
}
