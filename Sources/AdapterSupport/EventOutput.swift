import AdapterProtocol
import Dispatch
import Foundation
import Synchronization

/// Standard output: the one place where an event gets its number and its time, and is written before the callback
/// continues.
final class EventOutput: Sendable {
    private let sequence = Mutex<UInt64>(0)

    private struct Resuming {
        var isInside = false
        var calls = 0
    }
    private let resuming = Mutex(Resuming())

    private let change: (@Sendable (SessionEvent.Kind) -> [SessionEvent.Kind])?
    private let write: @Sendable (Data) throws -> Void

    /// - Parameter change: Returns the events that are written instead of one.
    /// - Parameter write: Writes one line with its end.
    init(
        changing change: (@Sendable (SessionEvent.Kind) -> [SessionEvent.Kind])? = nil,
        write: @escaping @Sendable (Data) throws -> Void = { try FileHandle.standardOutput.write(contentsOf: $0) }
    ) {
        self.change = change
        self.write = write
    }

    /// Calls `resume()` on the thread that reads the commands; events reported from inside it are counted.
    func duringResume(_ resume: () -> Void) {
        resuming.withLock { $0.isInside = true }
        resume()
        resuming.withLock { $0.isInside = false }
    }

    var callsInsideResume: Int { resuming.withLock { $0.calls } }

    func emit(_ kind: SessionEvent.Kind) {
        // Commands are read on the main thread.
        if Thread.isMainThread { resuming.withLock { if $0.isInside { $0.calls += 1 } } }
        sequence.withLock { sequence in
            if let change {
                for kind in change(kind) { write(kind, &sequence) }
            } else {
                write(kind, &sequence)
            }
        }
    }

    private func write(_ kind: SessionEvent.Kind, _ sequence: inout UInt64) {
        sequence += 1
        // DispatchTime is CLOCK_MONOTONIC on Linux, the harness's clock.
        let time = Int64(clamping: DispatchTime.now().uptimeNanoseconds)
        var line = SessionEvent(sequence: sequence, time: time, kind: kind).encodedLine()
        line.append(UInt8(ascii: "\n"))
        do {
            try write(Data(line))
        } catch {
            // The harness has closed its end.
            CommandLoop.leave(1)
        }
    }

    func emit(_ task: TaskName, _ event: TaskEvent) { emit(.task(task, event)) }

    func emit(_ task: TaskName, received data: Data) {
        for start in stride(from: 0, to: data.count, by: Wire.dataPiece) {
            let first = data.startIndex + start
            let piece = data[first..<min(first + Wire.dataPiece, data.endIndex)]
            emit(task, .didReceiveData(Array(piece)))
        }
    }

    /// Reports the content of a downloaded file and returns its length in bytes. For an unreadable file nothing is
    /// reported: the missing bytes are the finding.
    func emit(
        _ task: TaskName, fileAt location: URL,
        as event: (Int64, [UInt8]) -> TaskEvent = { .fileContent(offset: $0, $1) }
    ) -> Int64 {
        var offset: Int64 = 0
        do {
            let file = try FileHandle(forReadingFrom: location)
            while let piece = try file.read(upToCount: Wire.filePiece), !piece.isEmpty {
                emit(task, event(offset, Array(piece)))
                offset += Int64(piece.count)
            }
            try file.close()
        } catch {
            emit(.log("\(task): cannot read the downloaded file at \(location.path): \(error)"))
        }
        return offset
    }
}
