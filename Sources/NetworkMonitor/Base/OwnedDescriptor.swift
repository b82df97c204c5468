import CLinux
import Glibc

/// A file descriptor with exactly one owner, which closes it.
///
/// Adopt a descriptor before the next step that can fail, lend it with `withRaw`, and give it away only with
/// `release()`.
package struct OwnedDescriptor: ~Copyable, Sendable {
    private let raw: CInt

    package init(adopting raw: CInt) {
        precondition(raw >= 0, "only an open descriptor can be adopted")
        self.raw = raw
    }

    deinit {
        // Linux closes the descriptor even if close reports EINTR: a second call could close a descriptor of another
        // owner.
        _ = Glibc.close(raw)
    }

    package borrowing func withRaw<Result: ~Copyable, Failure: Error>(
        _ body: (CInt) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(raw)
    }

    /// Gives up the descriptor to an owner that will close it, for example NIO.
    package consuming func release() -> CInt {
        let raw = raw
        discard self
        return raw
    }

    /// Returns a second descriptor of the same open file.
    package borrowing func duplicate() throws(SystemCallError) -> OwnedDescriptor {
        let copy = fcntl(raw, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw SystemCallError(call: "fcntl(F_DUPFD_CLOEXEC)", errno: errno) }
        return OwnedDescriptor(adopting: copy)
    }
}

extension OwnedDescriptor {
    /// Returns the pending error of a socket, for example of a refused connection; reading it clears it.
    package borrowing func pendingError() -> SystemCallError? {
        let result = withRaw { cw_socket_error($0) }
        return result < 0 ? SystemCallError(call: "connect", errno: -result) : nil
    }

    /// Sends on a connected socket. Returns nil if the call would block.
    package borrowing func send(_ bytes: [UInt8]) throws(SystemCallError) -> Int? {
        try withRaw { raw throws(SystemCallError) -> Int? in
            let count = unsafe cw_socket_send(raw, bytes, bytes.count)
            if count == -Int64(EAGAIN) { return nil }
            return Int(try SystemCallError.check(count, "send"))
        }
    }

    /// Reads from a socket or pipe: nil if the call would block, empty at the end.
    package borrowing func receive(upTo count: Int = 65_536) throws(SystemCallError) -> [UInt8]? {
        try withRaw { raw throws(SystemCallError) -> [UInt8]? in
            var bytes = [UInt8](repeating: 0, count: count)
            while true {
                let result = unsafe Glibc.read(raw, &bytes, count).orErrno
                if result == -Int(EAGAIN) { return nil }
                if result == -Int(EINTR) { continue }
                return Array(bytes.prefix(try SystemCallError.check(result, "read")))
            }
        }
    }
    /// Reads from a socket or pipe into `buffer`: nil if the call would block, 0 at the end. Does not allocate, for
    /// callers that read large amounts.
    package borrowing func receive(into buffer: inout [UInt8]) throws(SystemCallError) -> Int? {
        let room = buffer.count
        return try withRaw { raw throws(SystemCallError) -> Int? in
            while true {
                let result = unsafe Glibc.read(raw, &buffer, room).orErrno
                if result == -Int(EAGAIN) { return nil }
                if result == -Int(EINTR) { continue }
                return try SystemCallError.check(result, "read")
            }
        }
    }
}
