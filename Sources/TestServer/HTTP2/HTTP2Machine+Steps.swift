import Record
import AdapterProtocol
import ScenarioLanguage

/// The steps of a response, one stream at a time.
extension HTTP2Machine {
    /// Runs every stream as far as possible; returns true when one made progress.
    mutating func runStreams(_ now: Int64, _ origin: inout OriginState) -> Bool {
        var hasDone = false
        var continues = true
        while continues {
            continues = false
            for id in turns {
                if let openBlock, openBlock != id { continue }
                while let stream = streams[id], isOpen, ready(stream, now), step(id, now, &origin) {
                    continues = true
                    // A frame of data was written, so the other streams continue first.
                    if streams[id]?.response?.sent != stream.response?.sent { break }
                }
            }
            hasDone = hasDone || continues
        }
        return hasDone
    }

    private var isOpen: Bool {
        guard case .open = phase else { return false }
        return resumesAt == nil
    }

    private mutating func ready(_ stream: HTTP2Stream, _ now: Int64) -> Bool {
        if let resumesAt = stream.resumesAt {
            guard resumesAt <= now else { return false }
            streams[stream.id]?.resumesAt = nil
            grant(stream.id)
        }
        return stream.breakpoint == nil && !stream.isStalled
    }

    /// Returns false when the step has to wait.
    private mutating func step(_ id: Int, _ now: Int64, _ origin: inout OriginState) -> Bool {
        guard let stream = streams[id], let step = stream.steps.first else { return false }
        switch step {
        case .point, .finished, .breakpoint:
            guard stream.unwritten == 0 else { return false }
        case .effect(let fault):
            // A delayed effect interrupts the current steps; one at a position comes after the bytes before that
            // position.
            guard fault.delay != nil || stream.unwritten == 0 else { return false }
        case .interim, .proceed, .delay, .respond, .head, .fragment, .body, .end:
            break
        }
        if case .body(let end) = step { return writeBody(id, upTo: end, now) }
        streams[id]?.steps.removeFirst()
        switch step {
        case .point(let point):
            let fired = origin.faults.firing(at: point, stream.faultContext)
            if !fired.isEmpty, case .responseBody = point { recordProgress(id) }
            for fault in fired where fault.delay != nil { postpone(fault, id, now) }
            streams[id]?.steps.insert(contentsOf: fired.filter { $0.delay == nil }.map { .effect($0) }, at: 0)
            if case .requestBody = point, fired.allSatisfy({ $0.delay != nil }) { grant(id) }
        case .effect(let fault):
            apply(fault, id, now, &origin)
            grant(id)
        case .interim(let interim):
            put(interim, of: id)
        case .proceed:
            if stream.response == nil { put(WirePlan.Interim(status: 100), of: id) }
        case .delay(let duration):
            streams[id]?.resumesAt = now + duration.nanoseconds
        case .respond:
            guard stream.response == nil else { return true }
            let answer = respond(id, &origin)
            streams[id]?.steps.insert(contentsOf: answer, at: 0)
        case .head(let stops):
            writeHead(id, stops)
        case .fragment(let part):
            writeFragment(id, part)
        case .body:
            break
        case .breakpoint(let bytes):
            guard origin.contains(OriginState.Breakpoint(request: stream.request, bytes: bytes)) else { return true }
            streams[id]?.breakpoint = bytes
            recordProgress(id)
        case .end:
            writeEnd(id)
        case .finished:
            finish(id, now, &origin)
        }
        return true
    }

    /// Returns the steps of a response, with a stop at each position of a fault or breakpoint.
    mutating func respond(_ id: Int, _ origin: inout OriginState) -> [StreamStep] {
        guard let stream = streams[id] else { return [] }
        let route = origin.responder.route(for: stream.head)
        // A response from a fault does not use the route's settings.
        let wire = stream.substitute == nil ? route?.wire ?? WirePlan() : WirePlan()
        let plan =
            stream.substitute
            ?? origin.responder.response(
                to: stream.head, pathRequest: stream.faultContext.pathRequest ?? 1, body: stream.inspection,
                date: origin.date)
        let response = HTTP2Stream.Response(plan, wire)
        streams[id]?.response = response
        var steps = wire.interim.map { StreamStep.interim($0) }
        if let delay = route?.delay { steps.append(.delay(delay)) }
        let points = origin.faults.points(for: stream.faultContext)
        if points.contains(.responseHead(after: 0)) { steps.append(.point(.responseHead(after: 0))) }
        if !wire.omitsHead { steps.append(.head(stops: points)) }
        let breakpoints = Set(origin.breakpoints(of: stream.request))
        let faults = Set<Int64>(points.compactMap { if case .responseBody(let bytes) = $0 { bytes } else { nil } })
        for stop in breakpoints.union(faults).sorted() where stop <= response.body.count {
            if stop > 0 { steps.append(.body(upTo: stop)) }
            if breakpoints.contains(stop) { steps.append(.breakpoint(stop)) }
            if faults.contains(stop) { steps.append(.point(.responseBody(stop))) }
        }
        if response.body.count > 0 { steps.append(.body(upTo: response.body.count)) }
        if points.contains(.trailers) { steps.append(.point(.trailers)) }
        return steps + [.end, .finished]
    }

    // MARK: - The end of a stream

    private mutating func finish(_ id: Int, _ now: Int64, _ origin: inout OriginState) {
        guard let stream = streams[id], let response = stream.response else { return }
        if response.handed > max(response.recorded, 0) { recordProgress(id) }
        record(.responseEnded(request: stream.request, bytes: response.handed))
        streams[id]?.hasResponded = true
        if response.closes, lastStream == nil { sendGoAway(last: highestStream, .noError) }
        // After an early response the stream continues until the request has ended.
        if stream.isReceived { remove(id, now, &origin) } else { grant(id) }
    }

    /// Ends a stream without its complete response; the number of its accepted bytes is recorded.
    mutating func drop(_ id: Int, _ now: Int64, _ origin: inout OriginState) {
        recordWritten(of: id)
        remove(id, now, &origin)
    }

    /// Removes a stream; RFC 9113 §5.1 allows frames still in transit to be ignored.
    mutating func remove(_ id: Int, _ now: Int64, _ origin: inout OriginState) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        turns.removeAll { $0 == id }
        if openBlock == id { openBlock = nil }
        lastFaultContext = stream.faultContext
        lastFaultContext.stream = nil
        rest(now, &origin)
    }

    /// Ends the connection when the streams that a GOAWAY still allowed are done.
    mutating func endWhenDrained() {
        guard case .open = phase, streams.isEmpty, let lastStream, lastStream <= highestStream else { return }
        phase = .ending(.finish(.orderly))
    }

    /// Without streams the connection idles, or ends when its end was announced.
    mutating func rest(_ now: Int64, _ origin: inout OriginState) {
        endWhenDrained()
        guard case .open = phase, streams.isEmpty else { return }
        if let timeout = origin.idleTimeout { actions.append(.start(.idle, at: now + timeout.nanoseconds)) }
        let fired = origin.faults.firing(at: .idle, lastFaultContext)
        for fault in fired where fault.delay != nil { postpone(fault, nil, now) }
        for fault in fired where fault.delay == nil {
            guard case .open = phase else { return }
            apply(fault, nil, now, &origin)
        }
    }
}

extension HTTP2Stream.Response {
    init(_ plan: ResponsePlan, _ wire: WirePlan) {
        var fields = plan.headers.filter { !RequestFields.ofConnection.contains($0.name.lowercased()) }
        if let lengths = wire.contentLength {
            fields.removeAll { $0.name.equalsIgnoringCase("content-length") }
            fields += lengths.map { HeaderField("Content-Length", $0) }
        }
        if let count = wire.manyHeaders { fields += (1...max(1, count)).map { HeaderField("x-many-\($0)", "\($0)") } }
        if let length = wire.longHeader {
            fields.append(HeaderField("x-long", String(repeating: "a", count: Int(length.bytes))))
        }
        status = plan.status
        headers = fields.map { HeaderField($0.name.lowercased(), $0.value) }
        body = wire.sendsForbiddenBody && plan.body.count == 0 ? plan.withheld : plan.body
        trailers = wire.trailers
        // A body that in HTTP/1.1 ends with its connection ends here with its stream.
        closes = wire.closes ?? (plan.closes && plan.framing != .untilClose)
    }
}
