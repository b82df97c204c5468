import Scenario

/// The steps of an exchange and the effects of faults.
extension ConnectionMachine {
    mutating func perform(_ step: ConnectionStep, _ now: Int64, _ origin: inout OriginState) {
        switch step {
        case .point(let point):
            guard everythingIsWritten(before: step) else { return }
            let fired = origin.faults.firing(at: point, occasion)
            if !fired.isEmpty, case .responseBody = point { recordProgress() }
            steps.insert(contentsOf: fired.map { .effect($0) }, at: 0)
        case .effect(let fault):
            guard everythingIsWritten(before: step) else { return }
            apply(fault, now)
        case .open:
            mode = isSecure ? .clientHello : .requests
        case .startTLS:
            hold = .handshake
            actions.append(.startTLS(handOverInbox()))
        case .write(let bytes):
            write(.bytes(bytes), .plain)
        case .head(let part):
            guard let response = exchange?.response else { return }
            write(.bytes(Array(response.head[part])), part.upperBound == response.head.count ? .head : .plain)
        case .delay(let duration):
            wait(until: now + duration.nanoseconds, now)
        case .body(let end):
            writeBody(upTo: end, now)
        case .mark(let bytes):
            guard everythingIsWritten(before: step), let request = exchange?.request else { return }
            guard origin.holds(OriginState.Mark(request: request, bytes: bytes)) else { return }
            hold = .mark(bytes)
            recordProgress()
        case .lastChunk:
            write(.bytes(Array("0\r\n\r\n".utf8)), .plain)
        case .endExchange:
            guard everythingIsWritten(before: step) else { return }
            endExchange()
        case .rest:
            exchange = nil
            if let timeout = origin.idleTimeout { actions.append(.start(.idle, at: now + timeout.nanoseconds)) }
        case .finish(let end):
            guard everythingIsWritten(before: step) else { return }
            finish(end, now)
        case .reset(let fault):
            if let fault { recordFault(fault, unacknowledged > 0 ? ", \(unacknowledged) bytes unacknowledged" : "") }
            reset()
        }
    }

    /// The steps of an answer, with a stop wherever a fault may happen or the harness wants to be asked.
    mutating func answer(_ exchange: Exchange, _ origin: inout OriginState) -> [ConnectionStep] {
        let plan = origin.responder.answer(
            to: exchange.head, pathRequest: exchange.occasion.pathRequest ?? 1, body: exchange.inspection, date: origin.date)
        let response = Exchange.Response(plan)
        self.exchange?.response = response
        var steps: [ConnectionStep] = []
        if let delay = origin.responder.route(for: exchange.head)?.delay { steps.append(.delay(delay)) }

        let points = origin.faults.points(for: exchange.occasion)
        let headStops: [Int64] = points.compactMap { if case .responseHead(let bytes) = $0 { bytes } else { nil } }
        var from = 0
        for stop in Set(headStops).sorted() {
            // A stop beyond the head is at its end: nobody counts header bytes to the last.
            let end = Int(min(stop, Int64(response.head.count)))
            if end > from { steps.append(.head(from..<end)) }
            from = end
            steps.append(.point(.responseHead(after: stop)))
        }
        if from < response.head.count { steps.append(.head(from..<response.head.count)) }

        let marks = Set(origin.marks(of: exchange.request))
        let faults = Set<Int64>(points.compactMap { if case .responseBody(let bytes) = $0 { bytes } else { nil } })
        for stop in marks.union(faults).sorted() where stop <= plan.body.count {
            steps.append(.body(upTo: stop))
            if marks.contains(stop) { steps.append(.mark(stop)) }
            if faults.contains(stop) { steps.append(.point(.responseBody(stop))) }
        }
        steps.append(.body(upTo: plan.body.count))
        if plan.framing == .chunked { steps.append(.lastChunk) }
        steps.append(.endExchange)
        return steps
    }

    private mutating func endExchange() {
        guard let exchange, let response = exchange.response else { return }
        if response.handed > max(response.recorded, 0) { recordProgress() }
        record(.responseEnded(request: exchange.request, bytes: response.handed))
        if !keepsPace { pace = nil }
        steps = response.plan.closes ? [.finish(.orderly)] : [.point(.idle), .rest]
    }

    // MARK: - Effects

    private mutating func apply(_ fault: Fault, _ now: Int64) {
        switch fault.effect {
        case .close:
            recordFault(fault)
            steps = [.finish(.abrupt)]
        case .reset:
            // A RST overtakes and destroys what is still on its way: what was sent before it must have arrived.
            steps = [.reset(fault)]
            hold = .acknowledgement(until: now + ConnectionMachine.acknowledgementLimit)
            actions.append(.countUnacknowledged)
        case .halfClose:
            recordFault(fault)
            output = .finished
            // A plain connection still takes requests; before TLS there is nothing to read them with.
            leave(mode == .requests || !isSecure ? .requests : .draining)
            actions.append(.finish(closeNotify: false))
        case .stall:
            recordFault(fault)
            output = .silent
            leave(mode == .requests ? .requests : .draining)
            if case .requestBody = fault.point { hold = .stalled }
        case .pause(let duration):
            recordFault(fault)
            wait(until: now + duration.nanoseconds, now)
        case .throttle(let rate):
            recordFault(fault)
            pace = Pace(rate, at: now)
            keepsPace = fault.point == .accept || fault.point == .tlsClientHello
        case .garbage(let text):
            recordFault(fault)
            steps = [.write(Array(text.utf8)), .finish(.abrupt)]
        case .tlsAlert(let alert):
            recordFault(fault)
            steps = (fault.point == .tlsClientHello ? [.write(ClientHello.alert(alert))] : []) + [.finish(.abrupt)]
        }
    }

    private mutating func finish(_ end: ConnectionEnd, _ now: Int64) {
        guard output != .finished else {
            close()
            return
        }
        output = .finished
        leave(.draining)
        // Recorded before it leaves, so that no reaction to it can come first.
        recordClosed("server")
        actions.append(.finish(closeNotify: end == .orderly))
        switch end {
        case .orderly:
            actions.append(.start(.drain, at: now + ConnectionMachine.drainTime))
        case .abrupt:
            steps = [.finish(.abrupt)]
            hold = .acknowledgement(until: now + ConnectionMachine.acknowledgementLimit)
            actions.append(.countUnacknowledged)
        }
    }

    // MARK: - Writing

    private mutating func everythingIsWritten(before step: ConnectionStep) -> Bool {
        if receipts.isEmpty { return true }
        steps.insert(step, at: 0)
        hold = .writes
        return false
    }

    private mutating func write(_ content: ConnectionAction.Content, _ receipt: Receipt) {
        receipts.append(receipt)
        actions.append(.write(content))
    }

    /// One piece; the next follows when the kernel has taken it, so that a slow client costs no memory.
    private mutating func writeBody(upTo end: Int64, _ now: Int64) {
        guard let response = exchange?.response, response.sent < end else { return }
        let isBusy = receipts.contains { if case .body = $0 { true } else { false } }
        guard !isBusy else {
            steps.insert(.body(upTo: end), at: 0)
            hold = .writes
            return
        }
        pace?.forgetIdleTime(at: now)
        let size = min(Int(clamping: end - response.sent), pace?.pieceSize ?? ConnectionMachine.pieceSize, ConnectionMachine.pieceSize)
        if let pace, pace.due(after: size) > now {
            steps.insert(.body(upTo: end), at: 0)
            wait(until: pace.due(after: size), now)
            return
        }
        pace?.spend(size)
        if response.plan.framing == .chunked { write(.bytes(Array("\(String(size, radix: 16))\r\n".utf8)), .plain) }
        switch response.plan.body {
        case .bytes(let bytes):
            write(.bytes(Array(bytes[Int(response.sent)..<Int(response.sent) + size])), .body(size))
        case .pattern(let key, let from, count: _):
            write(.pattern(key: key, from: from + response.sent, count: size), .body(size))
        }
        if response.plan.framing == .chunked { write(.bytes([0x0D, 0x0A]), .plain) }
        exchange?.response?.sent += Int64(size)
        if response.sent + Int64(size) < end { steps.insert(.body(upTo: end), at: 0) }
    }

    mutating func noteWritten() {
        guard !receipts.isEmpty else { return }
        switch receipts.removeFirst() {
        case .plain: break
        case .head:
            if let exchange, let response = exchange.response {
                record(.responseHead(request: exchange.request, status: response.plan.status, headers: response.plan.headers))
            }
        case .body(let size):
            exchange?.response?.handed += Int64(size)
            if let response = exchange?.response,
                response.handed - max(response.recorded, 0) >= Int64(ConnectionMachine.pieceSize)
                    || response.handed == response.plan.body.count
            {
                recordProgress()
            }
        }
        if hold == .writes { hold = nil }
    }

    // MARK: - Recording

    /// How much of the response body the kernel has, unless the record says so already.
    mutating func recordProgress() {
        guard let exchange, let response = exchange.response, response.handed != response.recorded else { return }
        self.exchange?.response?.recorded = response.handed
        record(.responseBody(request: exchange.request, bytes: response.handed))
    }

    private mutating func recordFault(_ fault: Fault, _ more: String = "") {
        record(.fault(connection: number, request: exchange?.request, point: fault.point.words, effect: fault.effect.words + more))
    }

    private var occasion: FaultMatcher.Occasion { exchange?.occasion ?? FaultMatcher.Occasion(connection: number) }
}
