import AdapterProtocol
import Foundation
import Synchronization

/// The content that tasks delivered and the client kept: data objects unchanged (DATA-04), files moved away in the
/// callback (DNLD-03), and the paths of delivered files (DNLD-02).
final class RetainedDeliveries: Sendable {
    private struct Delivery {
        var data: [Data] = []
        var movedTo: URL?
        var handedOverAt: URL?
        var isEmpty: Bool { data.isEmpty && movedTo == nil }
    }
    private let retained = Mutex<[TaskName: Delivery]>([:])

    init() {}

    func retain(_ data: Data, of task: TaskName) {
        retained.withLock { $0[task, default: Delivery()].data.append(data) }
    }

    func recordFile(at location: URL, of task: TaskName) {
        retained.withLock { $0[task, default: Delivery()].handedOverAt = location }
    }

    /// Moves the file away; returns its length.
    func moveFile(fileAt location: URL, of task: TaskName) throws -> Int64 {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("kept-\(UUID().uuidString)")
        try FileManager.default.moveItem(at: location, to: place)
        retained.withLock { $0[task, default: Delivery()].movedTo = place }
        return Int64(try FileHandle(forReadingFrom: place).seekToEnd())
    }

    /// Reports the present content.
    func readRetained(_ task: TaskName, to output: EventOutput) {
        let kept = retained.withLock { $0[task] ?? Delivery() }
        var length: Int64 = 0
        for data in kept.data {
            for start in stride(from: 0, to: data.count, by: Wire.filePiece) {
                let first = data.startIndex + start
                output.emit(
                    task,
                    .retainedContent(offset: length, Array(data[first..<min(first + Wire.filePiece, data.endIndex)])))
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
