import Glibc
import NIOCore

/// What the kernel has received for a connection and its event loop has not read yet.
enum PendingInput {
    /// Returns true when bytes, the end or an error wait in the socket, or when it is closed already. Takes nothing out, never waits
    /// and costs one system call. Call on the channel's event loop.
    ///
    /// The end of an idle connection is in the kernel before the loop reads it: for one or more turns of the loop, longer when that is
    /// busy. curl looks before it reuses a connection for the same reason. A channel without a socket has no pending input.
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
