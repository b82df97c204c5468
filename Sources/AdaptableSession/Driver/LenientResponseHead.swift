/// Rewrites a response head that RFC 9112 requires recipients to accept into the form that a strict decoder accepts.
package enum LenientResponseHead {
    /// Joins folded fields into one line (§5.2), ends lines with CRLF that end with LF alone (§2.2), keeps one of
    /// several equal Content-Length values (RFC 9110 §8.6), and treats a later minor version as 1.1 (RFC 9110 §2.5).
    /// Everything else is unchanged and left to the decoder.
    package static func strict(_ head: ArraySlice<UInt8>) -> [UInt8] {
        var lines = ended(unfolded(head)).split(separator: 10, omittingEmptySubsequences: false).map { $0.dropLast() }
        // Nothing follows the last LF.
        lines.removeLast()
        if let first = lines.first { lines[0] = known(first) }
        return oneLength(lines).flatMap { $0 + [13, 10] }
    }

    /// Joins a line that begins with whitespace to the line before; the line end between them becomes spaces.
    private static func unfolded(_ head: ArraySlice<UInt8>) -> [UInt8] {
        var bytes = Array(head)
        for index in bytes.indices.dropLast()
        where bytes[index] == 10 && (bytes[index + 1] == 32 || bytes[index + 1] == 9) {
            bytes[index] = 32
            if index > 0, bytes[index - 1] == 13 { bytes[index - 1] = 32 }
        }
        return bytes
    }

    private static func ended(_ head: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(head.count + 16)
        for byte in head {
            if byte == 10, bytes.last != 13 { bytes.append(13) }
            bytes.append(byte)
        }
        return bytes
    }

    private static func known(_ statusLine: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let version = Array("HTTP/1.".utf8)
        let at = statusLine.startIndex + version.count
        guard statusLine.count > version.count + 1, statusLine.starts(with: version), statusLine[at + 1] == 32,
            (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(statusLine[at])
        else { return statusLine }
        return statusLine[..<at] + [UInt8(ascii: "1")] + statusLine[(at + 1)...]
    }

    private static func oneLength(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
        let places = lines.indices.filter { $0 > 0 && isLength(lines[$0]) }
        let received = places.flatMap {
            lines[$0].dropFirst(name.count + 1).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        }
        let values = received.map { trimmed($0) }
        guard values.count > 1, let first = values.first, !first.isEmpty, values.allSatisfy({ $0 == first }),
            first.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return lines }
        var lines = lines
        lines[places[0]] = lines[places[0]].prefix(name.count) + Array(": ".utf8) + first
        for place in places.dropFirst().reversed() { lines.remove(at: place) }
        return lines
    }

    private static let name = Array("content-length".utf8)

    private static func isLength(_ line: ArraySlice<UInt8>) -> Bool {
        line.count > name.count && line[line.startIndex + name.count] == UInt8(ascii: ":")
            && zip(line, name).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && $1 != UInt8(ascii: "-") }
    }

    private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = value.drop { $0 == 32 || $0 == 9 }
        guard let last = start.lastIndex(where: { $0 != 32 && $0 != 9 }) else { return [] }
        return start[...last]
    }
}
