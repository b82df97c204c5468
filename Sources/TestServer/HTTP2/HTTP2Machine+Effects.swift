import Record
import AdapterProtocol
import GeneratedBodies
import ScenarioLanguage

/// The effects of faults on a stream and on its connection.
extension HTTP2Machine {
    /// Schedules the effect for later, in whatever state stream and connection are then.
    mutating func postpone(_ fault: Fault, _ id: Int?, _ now: Int64) {
        guard let delay = fault.delay else { return }
        postponed.append((due: now + delay.nanoseconds, fault: fault, stream: id))
        setFaultTimer()
    }

    /// Removes faults of an idle connection, because the connection is not idle any more.
    mutating func forgetIdleFaults() {
        guard postponed.contains(where: { $0.fault.point == .idle }) else { return }
        postponed.removeAll { $0.fault.point == .idle }
        setFaultTimer()
    }

    mutating func applyDueFaults(_ now: Int64, _ origin: inout OriginState) {
        let due = postponed.filter { $0.due <= now }
        postponed.removeAll { $0.due <= now }
        setFaultTimer()
        for (_, fault, id) in due {
            guard case .open = phase else { return }
            apply(fault, id, now, &origin)
            if let id { grant(id) }
        }
    }

    private mutating func setFaultTimer() {
        if let next = postponed.map(\.due).min() {
            actions.append(.start(.fault, at: next))
        } else {
            actions.append(.cancel(.fault))
        }
    }

    /// - Parameter id: The stream that the point belongs to; nil when it belongs to the connection.
    mutating func apply(_ fault: Fault, _ id: Int?, _ now: Int64, _ origin: inout OriginState) {
        if fault.effect.isRecordedAtOnce { recordFault(fault, request(of: id)) }
        switch fault.effect {
        // Recorded when the reset is sent, with the bytes lost by then.
        case .reset: phase = .ending(.reset(fault, request: request(of: id)))
        case .answer, .status: respondEarly(fault, id, &origin)
        case .close: phase = .ending(.finish(.announced))
        case .closeWithoutNotify: phase = .ending(.finish(.abrupt))
        case .halfClose: phase = .halfClosed(fin: true)
        case .stopReading:
            readsDisabled = true
            if let id { respondEarly(nil, id, &origin) }
        case .stall:
            if let id { streams[id]?.isStalled = true } else { phase = .halfClosed(fin: false) }
        case .pause(let duration):
            if let id {
                streams[id]?.resumesAt = now + duration.nanoseconds
            } else {
                wait(until: now + duration.nanoseconds)
            }
        case .throttle(let rate): setPace(Pace(rate, at: now), id)
        case .dribble(let bytes, let every): setPace(Pace(pieces: bytes, every: every, at: now), id)
        case .garbage(let text): putInPlace(Array(text.utf8))
        case .noise(let count):
            putInPlace(
                PatternBody.bytes(key: PatternBody.key(path: "noise", version: 0), from: 0, count: Int(count.bytes)))
        case .tlsGarbage(let text):
            putRaw(Array(text.utf8))
            phase = .ending(.finish(.abrupt))
        case .tlsAlert:
            // The handshake is over when HTTP/2 begins, and an alert from the plan is possible only during it.
            phase = .ending(.finish(.abrupt))
        case .stream(let effect): apply(effect, id, now, &origin)
        }
    }

    private mutating func apply(_ effect: StreamEffect, _ id: Int?, _ now: Int64, _ origin: inout OriginState) {
        switch effect {
        case .goAway(let code, let last):
            let number: Int
            switch last {
            case .this: number = id ?? highestStream
            case .before: number = max(0, (id ?? highestStream) - 2)
            case .number(let given): number = given
            }
            sendGoAway(last: number, code)
            for later in turns where later > number { drop(later, now, &origin) }
            for later in stride(from: number + 1, through: highestStream, by: 1) where later % 2 == 1 {
                forgotten.insert(later)
            }
            endWhenDrained()
        case .resetStream(let code):
            guard let id, streams[id] != nil else { return }
            resetStream(id, code)
            rest(now, &origin)
        case .settings(let settings): sendSettings(settings)
        case .closeWindow: if let id { streams[id]?.isWindowClosed = true }
        case .openWindow:
            guard let id, let stream = streams[id], !stream.isReceived else { return }
            streams[id]?.isWindowClosed = false
            widenOwn(id, by: max(stream.pendingBytes, HTTP2Machine.defaultWindow))
        case .pingFlood(let count):
            pingsOut += count
            put((0..<UInt32(count)).flatMap { Frame.bytes(.ping, Array("ping".utf8) + Frame.four($0)) })
        case .frame(let frame):
            put(
                Frame.head(
                    frame.type, frame.flags, stream: frame.stream ?? id ?? 0,
                    length: frame.length ?? frame.payload.count) + frame.payload, of: id)
        case .silence: phase = .halfClosed(fin: false)
        }
    }

    private mutating func wait(until time: Int64) { resumesAt = time }

    private mutating func setPace(_ pace: Pace, _ id: Int?) {
        if let id { streams[id]?.pace = pace } else { self.pace = pace }
    }

    private mutating func putInPlace(_ bytes: [UInt8]) {
        put(bytes)
        phase = .ending(.finish(.abrupt))
    }

    /// - Parameter fault: nil when it is recorded already.
    private mutating func respondEarly(_ fault: Fault?, _ id: Int?, _ origin: inout OriginState) {
        guard let id, let stream = streams[id], stream.response == nil else { return }
        if let fault {
            recordFault(fault, stream.request)
            if case .status(let status, let headers) = fault.effect {
                streams[id]?.substitute = ResponseWriter(head: stream.head, date: origin.date).plan(
                    status, [HeaderField("Content-Type", "text/plain; charset=utf-8")],
                    body: .bytes(Array("The origin was set to respond with \(status).\n".utf8)), overriding: headers)
            }
        }
        // Other effects at this position come before the response.
        let others = streams[id]?.steps.filter { if case .effect = $0 { true } else { false } } ?? []
        let steps = respond(id, &origin)
        streams[id]?.steps = others + steps
    }

    /// Returns the request of the stream, or of the last one when the connection idles.
    private func request(of id: Int?) -> Int? {
        guard let id else { return lastFaultContext.request }
        return streams[id]?.request
    }

    private mutating func recordFault(_ fault: Fault, _ request: Int?, _ more: String = "") {
        record(
            .fault(
                connection: number, request: request, point: fault.point.description,
                effect: fault.recordedEffect.text + more))
    }

    // MARK: - The end of the connection

    /// Performs the next part of a planned end, once everything before it is written.
    mutating func end(_ now: Int64) {
        switch phase {
        case .halfClosed(fin: true):
            guard pendingWriteAcks.isEmpty else { return }
            phase = .halfClosed(fin: false)
            actions.append(.finish(closeNotify: false))
        case .ending(.finish(let end)):
            guard pendingWriteAcks.isEmpty, acknowledgementLimit == nil else { return }
            leave()
            recordClosed(.server)
            actions.append(.finish(closeNotify: end != .abrupt))
            if end == .orderly {
                phase = .draining
                actions.append(.start(.drain, at: now + ConnectionMachine.drainTime))
            } else {
                awaitAcknowledgement(now)
            }
        case .ending(.reset(let fault, let request)):
            guard acknowledgementLimit == nil else { return }
            // A RST overtakes and destroys data still in transit. A postponed one does not have a position, and a
            // client that does not read must not delay it.
            if fault.delay != nil, !pendingWriteAcks.isEmpty { return reset(fault, request) }
            guard pendingWriteAcks.isEmpty else { return }
            for id in turns { recordProgress(id) }
            awaitAcknowledgement(now)
        case .open, .halfClosed(fin: false), .draining, .over: break
        }
    }

    private mutating func awaitAcknowledgement(_ now: Int64) {
        acknowledgementLimit = now + ConnectionMachine.acknowledgementLimit
        actions.append(.countUnacknowledged)
    }

    mutating func recordUnacknowledged(_ bytes: Int, _ now: Int64) {
        guard case .ending(let ending) = phase, let limit = acknowledgementLimit else { return }
        guard bytes == 0 || now >= limit else {
            actions.append(.start(.hold, at: now + ConnectionMachine.acknowledgementPoll))
            return
        }
        unacknowledged = bytes
        switch ending {
        case .finish: close()
        case .reset(let fault, let request): reset(fault, request)
        }
    }

    private mutating func reset(_ fault: Fault, _ request: Int?) {
        recordFault(fault, request, unacknowledged > 0 ? ", \(unacknowledged) bytes unacknowledged" : "")
        recordClosed(.server)
        actions.append(.reset)
        phase = .over
    }

    private mutating func leave() {
        for id in turns { recordProgress(id) }
        forgetInbox()
        actions.append(.cancel(.idle))
        if !postponed.isEmpty { actions.append(.cancel(.fault)) }
        postponed.removeAll()
    }

    mutating func close() {
        recordClosed(.server)
        actions.append(.close)
        phase = .over
    }
}
