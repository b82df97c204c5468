/// What the harness does with a stream task (STRM-01, STRM-02).
package enum StreamAction: Hashable, Sendable {
    /// A `streamRead` event answers, with at least `minimum` bytes unless the stream ends before.
    case read(minimum: Int, maximum: Int)
    /// A `streamWritten` event answers.
    case write([UInt8])
    /// TLS begins, after everything asked before.
    case secure
    case closeRead
    case closeWrite

    package enum Name: String, CaseIterable, Hashable, Sendable { case read, write, secure, closeRead, closeWrite }

    package var name: Name {
        switch self {
        case .read: .read
        case .write: .write
        case .secure: .secure
        case .closeRead: .closeRead
        case .closeWrite: .closeWrite
        }
    }
}
