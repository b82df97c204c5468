import Glibc

/// A file descriptor with exactly one owner, which closes it.
///
/// Adopt a descriptor before the next step that can fail; lend it with `withRaw`; hand it out only by `release()`.
package struct OwnedDescriptor: ~Copyable, Sendable {
    private let raw: CInt

    package init(adopting raw: CInt) {
        precondition(raw >= 0, "only an open descriptor can be adopted")
        self.raw = raw
    }

    deinit {
        // Linux closes the descriptor even when close reports EINTR: asking again could close somebody else's.
        _ = Glibc.close(raw)
    }

    package borrowing func withRaw<Result: ~Copyable, Failure: Error>(
        _ body: (CInt) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(raw)
    }

    /// Gives the descriptor up to somebody who will close it, for example NIO.
    package consuming func release() -> CInt {
        let raw = raw
        discard self
        return raw
    }

    /// A second descriptor of the same open file.
    package borrowing func duplicate() throws(SystemCallError) -> OwnedDescriptor {
        let copy = fcntl(raw, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw SystemCallError(call: "fcntl(F_DUPFD_CLOEXEC)", errno: errno) }
        return OwnedDescriptor(adopting: copy)
    }
}
