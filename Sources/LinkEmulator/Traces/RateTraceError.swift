/// The reason that a text is not a packet-delivery trace; lines count from 1.
package enum RateTraceError: Error, Hashable, Sendable, CustomStringConvertible {
    case noNumber(line: Int, found: String)
    case notAscending(line: Int)
    case tooLong(limit: Int)
    case empty
    case noLength

    package var description: String {
        switch self {
        case .noNumber(let line, let found):
            "line \(line): `\(found)` is not a timestamp; give whole milliseconds from 0 to \(UInt32.max), one per line"
        case .notAscending(let line):
            "line \(line): the timestamp is less than the previous one; timestamps cannot decrease"
        case .tooLong(let limit): "it has more than \(limit) timestamps; give a shorter trace, because it repeats"
        case .empty:
            "it is empty; give one line per opportunity to send 1500 bytes, in milliseconds since the start"
        case .noLength: "its last timestamp is 0; the last timestamp is the period and must be at least 1"
        }
    }
}
