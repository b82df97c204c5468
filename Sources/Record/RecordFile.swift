/// A record read from a file.
package struct RecordFile: Hashable, Sendable {
    /// The entries in the file's order, so that evidence keeps its numbers; a damaged line becomes a note.
    package var entries: [RecordEntry]
    /// False for a run that was cut short (no `runEnded`, or a torn last line) and for a damaged file.
    package var isComplete: Bool
    /// The damaged lines by number, counted from 1, with the error of each; reading continues after them.
    package var damaged: [Int: String] = [:]

    package static func read(_ text: String) -> RecordFile { read(bytes: Array(text.utf8)) }

    /// Reads a record as far as possible. Data that is not a record of this version is refused: the result has only an
    /// error at line 1.
    package static func read(bytes: [UInt8]) -> RecordFile {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // After the last line end there is nothing, or the start of a line that was never finished.
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
                file.entries.append(
                    RecordEntry(time: time, fact: .note(.other("line \(index + 1) cannot be read: \(error)"))))
            }
        }
        if case .runEnded? = file.entries.last?.fact { file.isComplete = file.damaged.isEmpty }
        return file
    }
}
