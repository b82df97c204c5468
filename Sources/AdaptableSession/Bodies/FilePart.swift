import Foundation
import Synchronization

/// A range of bytes of a file, read by one thread at a time.
final class FilePart: Sendable {
    private let state: Mutex<(handle: FileHandle, left: Int64)>

    init(_ url: URL, _ range: Range<Int64>) throws {
        let handle = try FileHandle(forReadingFrom: url)
        try handle.seek(toOffset: UInt64(range.lowerBound))
        state = Mutex((handle, Int64(range.count)))
    }

    /// Returns the next bytes; empty at the end of the range.
    func read(upTo count: Int) throws -> Data {
        try state.withLock { state in
            let piece = try state.handle.read(upToCount: Int(min(Int64(count), state.left))) ?? Data()
            state.left -= Int64(piece.count)
            return piece
        }
    }
}
