/// A record as it was read back.
package struct RecordFile: Hashable, Sendable {
    /// In the file's order, so that evidence keeps its numbers; a damaged line within the file stands as a note.
    package var entries: [RecordEntry]
    /// False for a run that was cut short (no `runEnded`, or a torn last line) and for a damaged file.
    package var isComplete: Bool
    /// The number from 1 and the fault of a line that could not be read; reading goes on behind it.
    package var damaged: [Int: String] = [:]

    package static func read(_ text: String) -> RecordFile { read(bytes: Array(text.utf8)) }

    /// What is no record of this version is refused: no entries, and the reason at line 1. Everything else is read as far as it goes.
    package static func read(bytes: [UInt8]) -> RecordFile {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // What follows the last line's end is nothing, or the beginning of a line that was never finished.
        if lines.last?.isEmpty == true { lines.removeLast() }
        let header: RecordEntry
        do throws(RecordError) {
            header = try RecordEntry.decode(line: String(decoding: lines.first ?? [], as: UTF8.self))
            guard case .runStarted = header.fact else { throw .missing("runStarted", in: "the first line") }
        } catch {
            return RecordFile(entries: [], isComplete: false, damaged: [1: "\(error)"])
        }
        var file = RecordFile(entries: [header], isComplete: false)
        for (index, line) in lines.enumerated().dropFirst() {
            do throws(RecordError) {
                file.entries.append(try RecordEntry.decode(line: String(decoding: line, as: UTF8.self)))
            } catch {
                file.damaged[index + 1] = "\(error)"
                guard index + 1 < lines.count else { break }
                let time = file.entries.last?.time ?? header.time
                file.entries.append(RecordEntry(time: time, fact: .note("line \(index + 1) cannot be read: \(error)")))
            }
        }
        if case .runEnded? = file.entries.last?.fact { file.isComplete = file.damaged.isEmpty }
        return file
    }
}
