import AdapterProtocol
import Record
import ScenarioLanguage

/// The bytes that this side writes, and their acceptance by the kernel.
extension HTTP2Machine {
    private var isHalfClosed: Bool {
        switch phase {
        case .open, .ending: false
        case .halfClosed, .draining, .over: true
        }
    }

    /// Writes bytes; `stream` waits for them before its next position.
    mutating func put(_ bytes: [UInt8], of stream: Int? = nil, then fact: ServerFact? = nil) {
        guard !isHalfClosed else { return }
        if let stream, streams[stream] != nil {
            streams[stream]?.unwritten += 1
            write(.bytes(bytes), fact.map { .fact(stream, $0) } ?? .stream(stream))
        } else {
            write(.bytes(bytes), .plain)
        }
    }

    /// Writes a 1xx response: a separate header block (RFC 9113 §8.1).
    mutating func put(_ interim: WirePlan.Interim, of id: Int) {
        guard let request = streams[id]?.request else { return }
        let block = blocks.write([HeaderField(":status", "\(interim.status)")] + interim.headers)
        put(
            HTTP2Machine.headers(id, block), of: id,
            then: .interim(request: request, status: interim.status, headers: interim.headers))
    }

    private mutating func write(_ content: ConnectionAction.Content, _ receipt: PendingWriteAck) {
        pendingWriteAcks.append(receipt)
        actions.append(.write(content))
    }

    mutating func putRaw(_ bytes: [UInt8]) {
        pendingWriteAcks.append(.plain)
        actions.append(.writeRaw(bytes))
    }

    mutating func recordWritten() {
        guard !pendingWriteAcks.isEmpty else { return }
        switch pendingWriteAcks.removeFirst() {
        case .plain: break
        case .stream(let id): streams[id]?.unwritten -= 1
        case .fact(let id, let fact):
            streams[id]?.unwritten -= 1
            record(fact)
        case .head(let id):
            streams[id]?.unwritten -= 1
            guard let stream = streams[id], let response = stream.response else { return }
            record(.responseHead(request: stream.request, status: response.status, headers: response.headers))
        case .body(let id, let size):
            dataInFlight -= size
            streams[id]?.unwritten -= 1
            streams[id]?.response?.handed += Int64(size)
            if let response = streams[id]?.response,
                response.handed - max(response.recorded, 0) >= Int64(ConnectionMachine.pieceSize)
                    || response.handed == response.body.count
            {
                recordProgress(id)
            }
        }
    }

    /// Records the number of body bytes that the kernel has accepted, unless it is recorded already.
    mutating func recordProgress(_ id: Int) {
        guard let stream = streams[id], let response = stream.response, response.handed != response.recorded else {
            return
        }
        streams[id]?.response?.recorded = response.handed
        record(.responseBody(request: stream.request, bytes: response.handed))
    }

    /// Records what was written of a stream that is removed now: the kernel has not accepted all of it, but will before
    /// any later frame.
    mutating func recordWritten(of id: Int) {
        guard let stream = streams[id], let response = stream.response else { return }
        let hasHead = pendingWriteAcks.contains { if case .head(id) = $0 { true } else { false } }
        if hasHead {
            record(.responseHead(request: stream.request, status: response.status, headers: response.headers))
        }
        streams[id]?.response?.handed = response.sent
        if response.sent > 0 { recordProgress(id) }
    }

    // MARK: - Heads

    /// Returns HEADERS, and CONTINUATION when the block is longer than a frame that any client must accept.
    static func headers(_ id: Int, _ pieces: [[UInt8]], endsStream: Bool = false) -> [UInt8] {
        let block = pieces.flatMap(\.self)
        let longest = 1 << 14
        guard block.count > longest else {
            return Frame.bytes(
                .headers, Frame.Flag.endHeaders | (endsStream ? Frame.Flag.endStream : 0), stream: id, block)
        }
        var bytes = Frame.bytes(.headers, endsStream ? Frame.Flag.endStream : 0, stream: id, Array(block[..<longest]))
        var from = longest
        while from < block.count {
            let end = min(from + longest, block.count)
            bytes += Frame.bytes(
                .continuation, end == block.count ? Frame.Flag.endHeaders : 0, stream: id, Array(block[from..<end]))
            from = end
        }
        return bytes
    }

    /// Returns true if only the end follows the head.
    private func endsWithHead(_ id: Int) -> Bool {
        guard let stream = streams[id], let response = stream.response else { return false }
        return stream.steps.first == .end && response.trailers.isEmpty
    }

    mutating func writeHead(_ id: Int, _ points: [Fault.Point]) {
        guard let response = streams[id]?.response else { return }
        let fields = [HeaderField(":status", "\(response.status)")] + response.headers
        let pieces = blocks.write(fields)
        let count = pieces.map(\.count).reduce(0, +)
        var stops: [(end: Int, point: Fault.Point)] = []
        for point in points where !stops.contains(where: { $0.point == point }) {
            if let end = HTTP2Machine.stop(point, fields, pieces) { stops.append((end, point)) }
        }
        guard !stops.isEmpty else {
            let ends = endsWithHead(id)
            if ends { streams[id]?.response?.hasEnded = true }
            streams[id]?.unwritten += 1
            return write(.bytes(HTTP2Machine.headers(id, pieces, endsStream: ends)), .head(id))
        }
        openBlock = id
        streams[id]?.response?.block = pieces.flatMap(\.self)
        var steps: [StreamStep] = []
        var from = 0
        // Stable, so that the order of the plan is kept.
        for stop in stops.enumerated().sorted(by: { ($0.element.end, $0.offset) < ($1.element.end, $1.offset) }).map(
            \.element)
        {
            if stop.end > from { steps.append(.fragment(from..<stop.end)) }
            from = max(from, stop.end)
            steps.append(.point(stop.point))
        }
        if from < count { steps.append(.fragment(from..<count)) }
        streams[id]?.steps.insert(contentsOf: steps, at: 0)
    }

    /// Returns the number of header block bytes before this point; nil when the point is not in the head.
    private static func stop(_ point: Fault.Point, _ fields: [HeaderField], _ pieces: [[UInt8]]) -> Int? {
        switch point {
        case .responseHead(let bytes):
            // A stop beyond the block is moved to its end; one at 0 has been handled already.
            return bytes == 0 ? nil : Int(min(bytes, Int64(pieces.map(\.count).reduce(0, +))))
        case .statusLine:
            return pieces.first?.count
        case .responseHeader(let name):
            guard let index = fields.firstIndex(where: { $0.name.equalsIgnoringCase(name) }) else { return nil }
            return pieces[..<index].map(\.count).reduce(0, +) + (pieces[index].count + 1) / 2
        case .accept, .tlsStart, .tlsClientHello, .tlsFinished, .requestHead, .requestBody, .responseBody, .afterChunks,
            .insideChunk, .trailers, .idle, .reusedRequest:
            return nil
        }
    }

    /// Writes a part of the block in its own frame.
    mutating func writeFragment(_ id: Int, _ part: Range<Int>) {
        guard let block = streams[id]?.response?.block else { return }
        let isLast = part.upperBound == block.count
        var flags = isLast ? Frame.Flag.endHeaders : 0
        if part.lowerBound == 0, isLast, endsWithHead(id) {
            flags |= Frame.Flag.endStream
            streams[id]?.response?.hasEnded = true
        }
        if isLast { openBlock = nil }
        streams[id]?.unwritten += 1
        write(
            .bytes(Frame.bytes(part.lowerBound == 0 ? .headers : .continuation, flags, stream: id, Array(block[part]))),
            isLast ? .head(id) : .stream(id))
    }

    // MARK: - Bodies

    /// Writes one DATA frame, as large as windows, frames and pace allow; returns false when none may be sent now.
    mutating func writeBody(_ id: Int, upTo end: Int64, _ now: Int64) -> Bool {
        guard let stream = streams[id], let response = stream.response else { return false }
        guard response.sent < end else {
            streams[id]?.steps.removeFirst()
            return true
        }
        var size = min(
            Int(clamping: end - response.sent), 1 << 14, clientFrame, sendWindow.left, stream.sendWindow.left)
        if let dataFrame { size = min(size, dataFrame) }
        streams[id]?.pace?.forgetIdleTime(at: now)
        pace?.forgetIdleTime(at: now)
        if let pace = streams[id]?.pace { size = min(size, pace.pieceSize) }
        if let pace { size = min(size, pace.pieceSize) }
        guard size > 0, dataInFlight + size <= HTTP2Machine.dataInFlight else { return false }
        let due = max(streams[id]?.pace?.due(after: size) ?? now, pace?.due(after: size) ?? now)
        guard due <= now else {
            streams[id]?.resumesAt = due
            return false
        }
        streams[id]?.pace?.spend(size)
        pace?.spend(size)
        sendWindow.spend(size)
        streams[id]?.sendWindow.spend(size)
        dataInFlight += size
        streams[id]?.response?.sent += Int64(size)
        if response.sent + Int64(size) == end { streams[id]?.steps.removeFirst() }
        let ends = response.sent + Int64(size) == response.body.count && endsWithHead(id)
        if ends { streams[id]?.response?.hasEnded = true }
        put(Frame.head(Frame.Kind.data.rawValue, ends ? Frame.Flag.endStream : 0, stream: id, length: size), of: id)
        streams[id]?.unwritten += 1
        switch response.body {
        case .bytes(let bytes):
            write(.bytes(Array(bytes[Int(response.sent)..<Int(response.sent) + size])), .body(id, size))
        case .pattern(let key, let from, count: _):
            write(.pattern(key: key, from: from + response.sent, count: size), .body(id, size))
        }
        turns.removeAll { $0 == id }
        turns.append(id)
        return true
    }

    mutating func writeEnd(_ id: Int) {
        guard let response = streams[id]?.response, !response.hasEnded else { return }
        streams[id]?.response?.hasEnded = true
        if response.trailers.isEmpty {
            put(Frame.bytes(.data, Frame.Flag.endStream, stream: id), of: id)
        } else {
            put(HTTP2Machine.headers(id, blocks.write(response.trailers), endsStream: true), of: id)
        }
    }

    // MARK: - The connection's own frames

    mutating func sendSettings(_ settings: [HTTP2Setting]) {
        unacknowledgedSettings.append(settings)
        put(Frame.settings(settings))
        recordFrame(
            "SETTINGS", 0, by: .server, settings.map { "\($0.name.description) \($0.value)" }.joined(separator: ", "))
    }

    mutating func sendGoAway(last: Int, _ code: HTTP2ErrorCode, _ reason: String = "") {
        lastStream = last
        put(Frame.goAway(last: last, code, reason))
        recordFrame(
            "GOAWAY", 0, by: .server, "\(code.name), last stream \(last)\(reason.isEmpty ? "" : ", \(reason)")")
    }

    /// Ends the stream from this side; frames that the client still sends on it are ignored.
    mutating func resetStream(_ id: Int, _ code: HTTP2ErrorCode) {
        recordWritten(of: id)
        recordFrame("RST_STREAM", id, by: .server, code.name)
        put(Frame.resetStream(id, code))
        forgotten.insert(id)
        streams[id] = nil
        turns.removeAll { $0 == id }
        if openBlock == id { openBlock = nil }
    }
}
