import AdapterProtocol
import Dispatch
import Foundation
import Glibc
import Synchronization

/// Standard output: numbers and times each event and writes it, from any thread.
final class EventWriter: Sendable {
    private let sequence = Mutex<UInt64>(0)
    private let write: @Sendable (Data) throws -> Void

    init(write: @escaping @Sendable (Data) throws -> Void = { try FileHandle.standardOutput.write(contentsOf: $0) }) {
        self.write = write
    }

    func emit(_ kind: SessionEvent.Kind) {
        sequence.withLock { sequence in
            sequence += 1
            // DispatchTime is CLOCK_MONOTONIC on Linux, the harness's clock.
            let time = Int64(clamping: DispatchTime.now().uptimeNanoseconds)
            let line = SessionEvent(sequence: sequence, time: time, kind: kind).encodedLine()
            // The harness has closed its end.
            do { try write(Data(line + [UInt8(ascii: "\n")])) } catch { _exit(1) }
        }
    }

    func emit(_ task: TaskName, _ event: TaskEvent) { emit(.task(task, event)) }

    /// Reports the bytes of a file in pieces, and returns their number. A file that does not exist has none.
    func emit(_ task: TaskName, fileAt path: String, as event: (Int64, [UInt8]) -> TaskEvent) -> Int64 {
        guard let file = FileHandle(forReadingAtPath: path) else { return 0 }
        defer { try? file.close() }
        var offset: Int64 = 0
        while let piece = try? file.read(upToCount: Wire.filePiece), !piece.isEmpty {
            emit(task, event(offset, Array(piece)))
            offset += Int64(piece.count)
        }
        return offset
    }
}
