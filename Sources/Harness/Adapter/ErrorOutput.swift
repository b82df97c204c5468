/// The standard error of an adapter, cut in the middle: an adapter that writes without end must fill neither the memory nor the disk, and the
/// last lines usually state why it ended.
struct ErrorOutput: Equatable {
    /// Bytes that are recorded as they arrive.
    static let headSize = 1 << 20
    /// Bytes of the last lines that are recorded at the end.
    static let tailSize = 64 << 10

    private var recorded = 0
    private var tail: [String] = []
    private var tailBytes = 0
    private var cutBytes = 0
    private var cutLines = 0

    /// Returns the line if it is to be recorded now; otherwise it may be one of the last lines.
    mutating func admit(_ line: String) -> String? {
        if tail.isEmpty, recorded + line.utf8.count <= ErrorOutput.headSize {
            recorded += line.utf8.count
            return line
        }
        // A line for each byte would cost more than its byte.
        tail.append(line)
        tailBytes += line.utf8.count + 64
        var surplus = 0
        while tailBytes > ErrorOutput.tailSize, surplus < tail.count - 1 {
            tailBytes -= tail[surplus].utf8.count + 64
            cutBytes += tail[surplus].utf8.count
            cutLines += 1
            surplus += 1
        }
        tail.removeFirst(surplus)
        return nil
    }

    /// Returns a note about what was left out, and the last lines.
    mutating func finish() -> (note: String?, last: [String]) {
        defer { (tail, tailBytes) = ([], 0) }
        let note =
            cutLines == 0
            ? nil
            : "standard error of the adapter: \(cutBytes) bytes in \(cutLines) lines are left out here; the first "
                + "\(ErrorOutput.headSize >> 20) MiB and the last lines are recorded"
        return (note, tail)
    }
}
