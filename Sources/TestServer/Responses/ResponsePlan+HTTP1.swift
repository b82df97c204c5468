import AdapterProtocol
import ScenarioLanguage

/// Encodes the head of a response according to its route's `WirePlan`.
extension ResponsePlan {
    /// Returns the fields that a parser can find, for the record.
    func headers(_ wire: WirePlan) -> [HeaderField] {
        var fields = headers
        if let lengths = wire.contentLength {
            fields.removeAll { $0.name.equalsIgnoringCase("content-length") }
            fields += lengths.map { HeaderField("Content-Length", $0) }
        }
        if !wire.trailers.isEmpty, framing == .chunked {
            // RFC 9110 §6.6.2; HTTP/1.1 supports trailers only with chunks.
            fields.append(HeaderField("Trailer", wire.trailers.map(\.name).joined(separator: ", ")))
        }
        return fields
    }

    func head(_ wire: WirePlan) -> [UInt8] {
        guard !wire.omitsHead else { return [] }
        var lines = [wire.statusLine ?? "HTTP/1.1 \(status) \(ReasonPhrase.of(status))"]
        lines += headers(wire).map { "\($0.name): \($0.value)" }
        if let count = wire.manyHeaders { lines += (1...max(1, count)).map { "X-Many-\($0): \($0)" } }
        if let length = wire.longHeader { lines.append("X-Long: " + String(repeating: "a", count: Int(length.bytes))) }
        lines += wire.lines
        let end = wire.lineEnd.bytes
        return lines.flatMap { Array($0.utf8) + end } + end
    }
}

extension WirePlan {
    func interimHead(_ response: Interim) -> [UInt8] {
        var text = "HTTP/1.1 \(response.status) \(ReasonPhrase.of(response.status))\r\n"
        for header in response.headers { text += "\(header.name): \(header.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// The bytes after the last chunk's line.
    var trailerLines: [UInt8] {
        trailers.flatMap { Array("\($0.name): \($0.value)\r\n".utf8) } + [0x0D, 0x0A]
    }
}

extension WirePlan.LineEnd {
    var bytes: [UInt8] {
        switch self {
        case .crlf: [0x0D, 0x0A]
        case .lf: [0x0A]
        case .cr: [0x0D]
        }
    }
}
