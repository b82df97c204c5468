import ScenarioLanguage
import Record

/// Writes the bytes of a connection: in pieces, at a pace, and never more than the kernel accepts.
extension ConnectionMachine {
    mutating func everythingIsWritten(before step: ConnectionStep) -> Bool {
        if pendingWriteAcks.isEmpty { return true }
        steps.insert(step, at: 0)
        hold = .writes
        return false
    }

    mutating func write(_ content: ConnectionAction.Content, _ receipt: PendingWriteAck) {
        pendingWriteAcks.append(receipt)
        actions.append(.write(content))
    }

    mutating func writeBytes(_ bytes: [UInt8], _ now: Int64, then fact: ServerFact? = nil) {
        func step(_ bytes: [UInt8]) -> ConnectionStep { fact.map { .report(bytes, $0) } ?? .write(bytes) }
        guard let size = dribbled(bytes.count, else: step(bytes), now) else { return }
        write(.bytes(Array(bytes.prefix(size))), size == bytes.count ? fact.map { .fact($0) } ?? .plain : .plain)
        if size < bytes.count { steps.insert(step(Array(bytes.dropFirst(size))), at: 0) }
    }

    mutating func writeHead(_ part: Range<Int>, _ now: Int64) {
        guard let response = exchange?.response, let size = dribbled(part.count, else: .head(part), now) else { return }
        let end = part.lowerBound + size
        write(.bytes(Array(response.head[part.lowerBound..<end])), end == response.head.count ? .head : .plain)
        if end < part.upperBound { steps.insert(.head(end..<part.upperBound), at: 0) }
    }

    /// Returns the number of bytes that may be written now; nil when the step has to wait. A rate limits only bodies, a
    /// dribble limits everything.
    private mutating func dribbled(_ count: Int, else step: ConnectionStep, _ now: Int64) -> Int? {
        guard pace?.isDribble == true else { return count }
        guard everythingIsWritten(before: step), var pace else { return nil }
        pace.forgetIdleTime(at: now)
        let size = min(count, pace.pieceSize)
        let due = pace.due(after: size)
        if due > now {
            self.pace = pace
            steps.insert(step, at: 0)
            wait(until: due, now)
            return nil
        }
        pace.spend(size)
        self.pace = pace
        return size
    }

    /// Writes one piece; the next follows when the kernel has accepted it, so that a slow client uses little memory.
    mutating func writeBody(upTo end: Int64, _ now: Int64) {
        guard let response = exchange?.response, response.sent < end else { return }
        let isBusy = pendingWriteAcks.contains { if case .body = $0 { true } else { false } }
        guard !isBusy else {
            steps.insert(.body(upTo: end), at: 0)
            hold = .writes
            return
        }
        pace?.forgetIdleTime(at: now)
        var size = min(
            Int(clamping: end - response.sent), pace?.pieceSize ?? ConnectionMachine.pieceSize,
            ConnectionMachine.pieceSize)
        let number = Int(response.sent / response.wire.chunkSize.bytes) + 1
        if response.framing == .chunked {
            size = min(size, Int(clamping: response.chunk(number).upperBound - response.sent))
        }
        if let pace, pace.due(after: size) > now {
            steps.insert(.body(upTo: end), at: 0)
            wait(until: pace.due(after: size), now)
            return
        }
        pace?.spend(size)
        if response.framing == .chunked { openChunk(number) }
        switch response.body {
        case .bytes(let bytes):
            write(.bytes(Array(bytes[Int(response.sent)..<Int(response.sent) + size])), .body(size))
        case .pattern(let key, let from, count: _):
            write(.pattern(key: key, from: from + response.sent, count: size), .body(size))
        }
        exchange?.response?.sent += Int64(size)
        if response.sent + Int64(size) < end { steps.insert(.body(upTo: end), at: 0) }
    }

    /// Writes the size line of this chunk, unless that is done; the line end of the previous chunk comes with it.
    mutating func openChunk(_ number: Int) {
        guard let response = exchange?.response, response.openChunk != number else { return }
        endChunk()
        let line = response.wire.chunkLines[number] ?? String(response.chunk(number).count, radix: 16)
        write(.bytes(Array("\(line)\r\n".utf8)), .plain)
        exchange?.response?.openChunk = number
    }

    mutating func endChunk() {
        guard exchange?.response?.openChunk != nil else { return }
        write(.bytes([0x0D, 0x0A]), .plain)
        exchange?.response?.openChunk = nil
    }

    mutating func recordWritten() {
        guard !pendingWriteAcks.isEmpty else { return }
        switch pendingWriteAcks.removeFirst() {
        case .plain: break
        case .fact(let fact): record(fact)
        case .head:
            if let exchange, let response = exchange.response {
                record(.responseHead(request: exchange.request, status: response.status, headers: response.headers))
            }
        case .body(let size):
            exchange?.response?.handed += Int64(size)
            if let response = exchange?.response,
                response.handed - max(response.recorded, 0) >= Int64(ConnectionMachine.pieceSize)
                    || response.handed == response.body.count
            {
                recordProgress()
            }
        }
        if hold == .writes { hold = nil }
    }

    /// Records the number of body bytes that the kernel has accepted, unless it is recorded already.
    mutating func recordProgress() {
        guard let exchange, let response = exchange.response, response.handed != response.recorded else { return }
        self.exchange?.response?.recorded = response.handed
        record(.responseBody(request: exchange.request, bytes: response.handed))
    }
}
