package import AdapterProtocol
package import Foundation
import Synchronization

/// What tasks delivered and the client kept: data objects as they came (DATA-04), files moved away in the callback (DNLD-03), and the
/// places where files were handed over (DNLD-02).
package final class Keepsakes: Sendable {
    private struct Kept {
        var data: [Data] = []
        var movedTo: URL?
        var handedOverAt: URL?
        var isEmpty: Bool { data.isEmpty && movedTo == nil }
    }
    private let kept = Mutex<[TaskName: Kept]>([:])

    package init() {}

    package func keep(_ data: Data, of task: TaskName) { kept.withLock { $0[task, default: Kept()].data.append(data) } }

    package func noteFile(at location: URL, of task: TaskName) { kept.withLock { $0[task, default: Kept()].handedOverAt = location } }

    /// Moves the file away; returns its length.
    package func take(fileAt location: URL, of task: TaskName) throws -> Int64 {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("kept-\(UUID().uuidString)")
        try FileManager.default.moveItem(at: location, to: place)
        kept.withLock { $0[task, default: Kept()].movedTo = place }
        return Int64(try FileHandle(forReadingFrom: place).seekToEnd())
    }

    /// Tells what is there now.
    package func recall(_ task: TaskName, to output: EventOutput) {
        let kept = kept.withLock { $0[task] ?? Kept() }
        var length: Int64 = 0
        for data in kept.data {
            for start in stride(from: 0, to: data.count, by: Wire.filePiece) {
                let first = data.startIndex + start
                output.emit(task, .retainedContent(offset: length, Array(data[first..<min(first + Wire.filePiece, data.endIndex)])))
                length += Int64(min(Wire.filePiece, data.count - start))
            }
        }
        if let place = kept.movedTo {
            length += output.emit(task, fileAt: place) { .retainedContent(offset: $0, $1) }
        }
        output.emit(
            task,
            .retained(
                length: kept.isEmpty ? nil : length,
                isInPlace: kept.handedOverAt.map { FileManager.default.fileExists(atPath: $0.path) }))
    }
}
