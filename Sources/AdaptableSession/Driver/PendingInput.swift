import Glibc
import NIOCore

/// Detects input of a connection that the kernel has received and its event loop has not read yet.
enum PendingInput {
    /// Returns true if bytes, the end of the connection or an error wait in the socket, or if it is closed. Consumes
    /// nothing, never blocks and costs one system call. Call on the channel's event loop.
    ///
    /// The end of an idle connection is in the kernel before the loop reads it: for one or more turns of the loop,
    /// longer if that is busy. curl checks before it reuses a connection for the same reason. Returns false for a
    /// channel without a socket.
    static func exists(on channel: any Channel) -> Bool {
        do {
            return try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
                exists(on: $0)
            } ?? false
        } catch {
            return true
        }
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
