import Record
import ScenarioLanguage

/// The steps of an exchange.
extension ConnectionMachine {
    mutating func perform(_ step: ConnectionStep, _ now: Int64, _ origin: inout OriginState) {
        switch step {
        case .point(let point):
            guard everythingIsWritten(before: step) else { return }
            let fired = origin.faults.firing(at: point, faultContext)
            if !fired.isEmpty, case .responseBody = point { recordProgress() }
            for fault in fired where fault.delay != nil { postpone(fault, now) }
            steps.insert(contentsOf: fired.filter { $0.delay == nil }.map { .effect($0) }, at: 0)
        case .effect(let fault):
            // A delayed effect interrupts the current steps; one at a position comes after the bytes before that
            // position.
            guard fault.delay != nil || everythingIsWritten(before: step) else { return }
            apply(fault, now, &origin)
        case .open:
            mode = isSecure ? .clientHello : .requests
        case .startTLS:
            hold = .handshake
            actions.append(.startTLS(handOverInbox()))
        case .write(let bytes):
            writeBytes(bytes, now)
        case .report(let bytes, let fact):
            writeBytes(bytes, now, then: fact)
        case .writeRaw(let bytes):
            pendingWriteAcks.append(.plain)
            actions.append(.writeRaw(bytes))
        case .head(let part):
            writeHead(part, now)
        case .delay(let duration):
            wait(until: now + duration.nanoseconds, now)
        case .body(let end):
            writeBody(upTo: end, now)
        case .breakpoint(let bytes):
            guard everythingIsWritten(before: step), let request = exchange?.request else { return }
            guard origin.contains(OriginState.Breakpoint(request: request, bytes: bytes)) else { return }
            hold = .breakpoint(bytes)
            recordProgress()
        case .openChunk(let number):
            openChunk(number)
        case .endChunk:
            endChunk()
        case .proceed:
            if let exchange, exchange.response == nil {
                steps.insert(interimStep(WirePlan.Interim(status: 100), exchange.request), at: 0)
            }
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

    func interimStep(_ interim: WirePlan.Interim, _ request: Int) -> ConnectionStep {
        .report(
            WirePlan().interimHead(interim),
            .interim(request: request, status: interim.status, headers: interim.headers))
    }

    /// Returns the steps of a response, with a stop at each position of a fault or breakpoint.
    mutating func respond(_ exchange: Exchange, _ origin: inout OriginState) -> [ConnectionStep] {
        let route = origin.responder.route(for: exchange.head)
        // A response from a fault does not use the route's settings.
        let wire = exchange.substitute == nil ? route?.wire ?? WirePlan() : WirePlan()
        let plan =
            exchange.substitute
            ?? origin.uploadDecision(exchange, connection: number)
            ?? origin.responder.response(
                to: exchange.head, pathRequest: exchange.faultContext.pathRequest ?? 1, connection: number,
                body: exchange.inspection,
                date: origin.date)
        let response = Exchange.Response(plan, wire)
        self.exchange?.response = response
        var steps: [ConnectionStep] = []
        // HTTP/1.0 does not have interim responses (RFC 9110 §15.2).
        if exchange.head.minorVersion > 0 { steps += wire.interim.map { interimStep($0, exchange.request) } }
        if let delay = route?.delay { steps.append(.delay(delay)) }
        let points = origin.faults.points(for: exchange.faultContext)
        steps += ConnectionMachine.headSteps(response, points)
        steps += ConnectionMachine.bodySteps(response, points, breakpoints: origin.breakpoints(of: exchange.request))
        if response.framing == .chunked, !wire.omitsLastChunk {
            steps += [.write(Array("0\r\n".utf8))]
            if points.contains(.trailers) { steps.append(.point(.trailers)) }
            steps.append(.write(wire.trailerLines))
        }
        if let surplus = wire.surplus {
            let bytes = Array(surplus.utf8)
            steps.append(.report(bytes, .surplus(request: exchange.request, bytes: Int64(bytes.count))))
        }
        steps.append(.endExchange)
        return steps
    }

    private static func headSteps(_ response: Exchange.Response, _ points: [Fault.Point]) -> [ConnectionStep] {
        var stops: [(end: Int, point: Fault.Point)] = []
        for point in points where !stops.contains(where: { $0.point == point }) {
            if let end = response.headStop(point) { stops.append((end, point)) }
        }
        var steps: [ConnectionStep] = []
        var from = 0
        // Stable, so that the order of the plan is kept.
        for stop in stops.enumerated().sorted(by: { ($0.element.end, $0.offset) < ($1.element.end, $1.offset) }).map(
            \.element)
        {
            if stop.end > from { steps.append(.head(from..<stop.end)) }
            from = max(from, stop.end)
            steps.append(.point(stop.point))
        }
        if from < response.head.count { steps.append(.head(from..<response.head.count)) }
        return steps
    }

    private static func bodySteps(_ response: Exchange.Response, _ points: [Fault.Point], breakpoints: [Int64])
        -> [ConnectionStep]
    {
        /// Order at the same position: breakpoints, then faults inside a chunk, then faults after it, then faults
        /// inside the next.
        var stops: [(at: Int64, turn: Int, steps: [ConnectionStep])] = []
        for breakpoint in Set(breakpoints) { stops.append((breakpoint, 0, [.breakpoint(breakpoint)])) }
        for point in Set(points) {
            if let stop = response.bodyStop(point) { stops.append(stop) }
        }
        var steps: [ConnectionStep] = []
        for stop in stops.sorted(by: { ($0.at, $0.turn) < ($1.at, $1.turn) }) where stop.at <= response.body.count {
            steps.append(.body(upTo: stop.at))
            steps += stop.steps
        }
        steps.append(.body(upTo: response.body.count))
        if response.framing == .chunked { steps.append(.endChunk) }
        return steps
    }

    private mutating func endExchange() {
        guard let exchange, let response = exchange.response else { return }
        if response.handed > max(response.recorded, 0) { recordProgress() }
        record(.responseEnded(request: exchange.request, bytes: response.handed))
        if !keepsPace { pace = nil }
        self.exchange?.hasResponded = true
        // After an early response the connection continues when the request has ended.
        if response.closes || exchange.isReceived { steps = afterExchange(response) }
    }

    func afterExchange(_ response: Exchange.Response) -> [ConnectionStep] {
        response.closes ? [.finish(.orderly)] : [.point(.idle), .rest]
    }
}

extension Exchange.Response {
    /// Returns the number of head bytes before this point; nil when the point is not in the head.
    fileprivate func headStop(_ point: Fault.Point) -> Int? {
        switch point {
        case .responseHead(let bytes):
            // A stop beyond the head is moved to its end: a scenario need not know the exact length of the head.
            return Int(min(bytes, Int64(head.count)))
        case .statusLine:
            return head.firstIndex(of: 0x0A).map { $0 + 1 }
        case .responseHeader(let name):
            guard let line = line(of: name) else { return nil }
            let value = head[line].firstIndex(of: 0x3A).map { $0 + 1 } ?? line.lowerBound
            return value + (line.upperBound - value + 1) / 2
        case .accept, .tlsStart, .tlsClientHello, .tlsFinished, .requestHead, .requestBody, .responseBody, .afterChunks,
            .insideChunk, .trailers, .idle, .reusedRequest:
            return nil
        }
    }

    /// Returns the position of the first line with this name, without its line end.
    private func line(of name: String) -> Range<Int>? {
        var start = 0
        while let end = head[start...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            let line = String(decoding: head[start..<end].prefix { $0 != 0x3A }, as: UTF8.self)
            if start > 0, line.count < end - start, line.equalsIgnoringCase(name) { return start..<end }
            start = end + 1
        }
        return nil
    }

    fileprivate func bodyStop(_ point: Fault.Point) -> (at: Int64, turn: Int, steps: [ConnectionStep])? {
        switch point {
        case .responseBody(let bytes):
            return (bytes, 1, [.point(point)])
        case .afterChunks(let count):
            guard framing == .chunked, count <= chunks else { return nil }
            return (count == 0 ? 0 : chunk(count).upperBound, 2, [.endChunk, .point(point)])
        case .insideChunk(let number):
            guard framing == .chunked, number <= chunks else { return nil }
            let data = chunk(number)
            return (data.lowerBound + Int64(data.count / 2), 3, [.openChunk(number), .point(point)])
        case .accept, .tlsStart, .tlsClientHello, .tlsFinished, .requestHead, .requestBody, .responseHead, .statusLine,
            .responseHeader, .trailers, .idle, .reusedRequest:
            return nil
        }
    }
}

extension OriginState {
    /// Returns the response when the exchange is about an upload; nil for an ordinary one.
    fileprivate mutating func uploadDecision(_ exchange: Exchange, connection: Int) -> ResponsePlan? {
        guard let decision = uploads.decision(to: exchange.head, request: exchange.request) else { return nil }
        let writer = ResponseWriter(head: exchange.head, date: date)
        switch decision {
        case .own(let status, let fields, let body):
            return body.map { writer.text(status, $0, fields) } ?? writer.plan(status, fields)
        case .target(let target, let fields):
            var plan = responder.response(
                to: target, pathRequest: exchange.faultContext.pathRequest ?? 1, connection: connection,
                body: exchange.inspection, date: date)
            plan.headers += fields
            return plan
        }
    }
}
