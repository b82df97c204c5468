import Foundation
package import Scenario
import Synchronization

/// Writes the record of one run, line by line as things happen, in the order in which they are told, from any thread.
package final class Recorder: Sendable {
    private struct State {
        var file: FileHandle?
        var entries: [RecordEntry] = []
        var failure: String?
    }

    private let state: Mutex<State>
    package let path: String

    /// Creates the file; an existing one is never overwritten.
    package static func create(at path: String) throws(HarnessError) -> Recorder {
        let url = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url, options: .withoutOverwriting)
            return Recorder(file: try FileHandle(forWritingTo: url), path: path)
        } catch {
            throw .cannotWrite(path: path, reason: reasonText(error))
        }
    }

    private init(file: FileHandle, path: String) {
        self.path = path
        self.state = Mutex(State(file: file))
    }

    package func record(_ fact: RecordEntry.Fact, at time: Int64) {
        let entry = RecordEntry(time: time, fact: fact)
        let line = Data((entry.encodedLine() + "\n").utf8)
        state.withLock { state in
            state.entries.append(entry)
            guard let file = state.file, state.failure == nil else { return }
            do {
                try file.write(contentsOf: line)
            } catch {
                state.failure = "\(path): \(reasonText(error))"
            }
        }
    }

    package var entries: [RecordEntry] { state.withLock { $0.entries } }

    /// Why the file is not complete, when writing failed (a full disk); the entries in memory are.
    package var failure: String? { state.withLock { $0.failure } }

    package func close() {
        state.withLock { state in
            do { try state.file?.close() } catch { state.failure = state.failure ?? "\(path): \(reasonText(error))" }
            state.file = nil
        }
    }
}

/// Foundation's wording of a file error.
func reasonText(_ error: any Error) -> String { (error as? CocoaError)?.localizedDescription ?? "\(error)" }
