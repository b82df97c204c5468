import Foundation
import Lab
import LinkEngines
import NetworkMonitor
package import Record
import Synchronization

/// Writes the record of a run line by line, in the order of the calls, from any thread.
package final class Recorder: Sendable {
    private struct State {
        var file: FileHandle?
        var entries: [RecordEntry] = []
        var failure: String?
    }

    private let state: Mutex<State>
    package let path: String

    /// Creates the file; never overwrites an existing one.
    package static func create(at path: String) throws(HarnessError) -> Recorder {
        do throws(EvidenceFile.Problem) {
            return Recorder(file: try EvidenceFile.create(at: path), path: path)
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

    /// The reason why the file is incomplete when writing failed (for example a full disk); the entries in memory are
    /// complete.
    package var failure: String? { state.withLock { $0.failure } }

    package func close() {
        state.withLock { state in
            do { try state.file?.close() } catch { state.failure = state.failure ?? "\(path): \(reasonText(error))" }
            state.file = nil
        }
    }
}
