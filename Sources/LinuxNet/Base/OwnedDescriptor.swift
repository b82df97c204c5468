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
