import Glibc
package import NetworkMonitor

/// Operations on our end of a program's standard input; see `receive` for reading the other pipes.
extension OwnedDescriptor {
    /// Makes the descriptor non-blocking.
    package borrowing func stopBlocking() throws(SystemCallError) {
        try withRaw { raw throws(SystemCallError) in
            let flags = try SystemCallError.check(fcntl(raw, F_GETFL).orErrno, "fcntl(F_GETFL)")
            _ = try SystemCallError.check(fcntl(raw, F_SETFL, flags | O_NONBLOCK).orErrno, "fcntl(F_SETFL)")
        }
    }

    /// Writes the bytes that fit and returns their number; nil if the reader is gone (EPIPE).
    package borrowing func writeSome(_ bytes: ArraySlice<UInt8>) throws(SystemCallError) -> Int? {
        try withRaw { raw throws(SystemCallError) in
            while true {
                let put = unsafe bytes.withUnsafeBufferPointer {
                    unsafe Glibc.write(raw, $0.baseAddress, $0.count).orErrno
                }
                if put >= 0 { return put }
                switch CInt(-put) {
                case EINTR: continue
                case EAGAIN: return 0
                case EPIPE: return nil
                default: throw SystemCallError(call: "write", errno: CInt(-put))
                }
            }
        }
    }
}
