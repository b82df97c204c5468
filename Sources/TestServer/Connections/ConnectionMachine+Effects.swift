import Record
import AdapterProtocol
import GeneratedBodies
import ScenarioLanguage

/// The effects of faults on a connection.
extension ConnectionMachine {
    /// Schedules the effect for later, in whatever state the connection is then.
    mutating func postpone(_ fault: Fault, _ now: Int64) {
        guard let delay = fault.delay else { return }
        postponed.append((due: now + delay.nanoseconds, fault: fault))
        setFaultTimer()
    }

    /// Removes faults of an idle connection, because the connection is not idle any more.
    mutating func forgetIdleFaults() {
        guard postponed.contains(where: { $0.fault.point == .idle }) else { return }
        postponed.removeAll { $0.fault.point == .idle }
        setFaultTimer()
    }

    mutating func applyDueFaults(_ now: Int64) {
        let due = postponed.filter { $0.due <= now }.map(\.fault)
        postponed.removeAll { $0.due <= now }
        setFaultTimer()
        for fault in due {
            if fault.effect.endsExchange {
                steps = [.effect(fault)]
                hold = nil
            } else {
                steps.insert(.effect(fault), at: 0)
            }
        }
    }

    private mutating func setFaultTimer() {
        if let next = postponed.map(\.due).min() {
            actions.append(.start(.fault, at: next))
        } else {
            actions.append(.cancel(.fault))
        }
    }

    mutating func apply(_ fault: Fault, _ now: Int64, _ origin: inout OriginState) {
        if fault.effect.isRecordedAtOnce { recordFault(fault) }
        switch fault.effect {
        case .close:
            steps = [.finish(.announced)]
        case .closeWithoutNotify:
            steps = [.finish(.abrupt)]
        case .reset:
            steps = [.reset(fault)]
            // A RST overtakes and destroys data still in transit: bytes sent before it must have arrived. A postponed
            // one does not have a position, and a client that does not read must not delay it.
            guard fault.delay == nil || pendingWriteAcks.isEmpty else { return }
            hold = .acknowledgement(until: now + ConnectionMachine.acknowledgementLimit)
            actions.append(.countUnacknowledged)
        case .halfClose:
            output = .finished
            // A plain connection still accepts requests; before TLS they cannot be read.
            leave(mode == .requests || !isSecure ? .requests : .draining)
            actions.append(.finish(closeNotify: false))
        case .stopReading:
            readsDisabled = true
            if let exchange, exchange.head.body != .none { respondEarly(exchange, &origin) }
        case .stall:
            output = .silent
            leave(mode == .requests ? .requests : .draining)
            if case .requestBody = fault.point { hold = .stalled }
        case .pause(let duration):
            wait(until: now + duration.nanoseconds, now)
        case .throttle(let rate):
            pace = Pace(rate, at: now)
            keepsPace = fault.point.isOfConnection
        case .dribble(let bytes, let every):
            pace = Pace(pieces: bytes, every: every, at: now)
            keepsPace = fault.point.isOfConnection
        case .garbage(let text):
            putInPlace(Array(text.utf8))
        case .noise(let count):
            putInPlace(
                PatternBody.bytes(key: PatternBody.key(path: "noise", version: 0), from: 0, count: Int(count.bytes)))
        case .tlsGarbage(let text):
            steps = [.writeRaw(Array(text.utf8)), .finish(.abrupt)]
        case .tlsAlert(let alert):
            // Before its Finished TLS has keys and sends the alert itself.
            steps = (fault.point == .tlsFinished ? [] : [.write(ClientHello.alert(alert))]) + [.finish(.abrupt)]
        case .answer:
            guard let exchange, exchange.response == nil else { return }
            recordFault(fault)
            respondEarly(exchange, &origin)
        // These effects need HTTP/2, and the matcher returns them only for HTTP/2 connections.
        case .stream: break
        case .status(let status, let headers):
            guard var exchange, exchange.response == nil else { return }
            recordFault(fault)
            exchange.substitute = ResponseWriter(head: exchange.head, date: origin.date).plan(
                status, [HeaderField("Content-Type", "text/plain; charset=utf-8")],
                body: .bytes(Array("The origin was set to respond with \(status).\n".utf8)), overriding: headers)
            self.exchange = exchange
            respondEarly(exchange, &origin)
        }
    }

    /// Applies faults while the handshake is paused before its Finished; TLS has applied its part of them.
    mutating func pauseBeforeFinished(_ faults: [Fault], _ now: Int64, _ origin: inout OriginState) {
        for fault in faults where fault.delay != nil { postpone(fault, now) }
        for fault in faults where fault.delay == nil {
            guard fault.effect.pausesHandshake else {
                apply(fault, now, &origin)
                continue
            }
            if case .pause = fault.effect { return recordFault(fault) }
            hold = nil
            if case .tlsAlert = fault.effect {
                recordFault(fault)
                recordClosed(.server)
                leave(.draining)
            } else {
                mode = .closed
                steps = [.effect(fault)]
            }
            return
        }
    }

    /// A request without a body gets its response when it is complete, which it already is.
    private mutating func respondEarly(_ exchange: Exchange, _ origin: inout OriginState) {
        guard exchange.response == nil, !exchange.isReceived, exchange.head.body != .none else { return }
        // Other effects at this position come before the response.
        let others = steps.filter { if case .effect = $0 { true } else { false } }
        steps = others + respond(exchange, &origin)
    }

    /// Until the keys are agreed, bytes cannot be written through TLS.
    private mutating func putInPlace(_ bytes: [UInt8]) {
        steps = [isSecure && !isEncrypted ? .writeRaw(bytes) : .write(bytes), .finish(.abrupt)]
    }

    mutating func finish(_ end: ConnectionEnd, _ now: Int64) {
        guard output != .finished else {
            close()
            return
        }
        output = .finished
        leave(.draining)
        // Recorded before the FIN is sent, so that no reaction to it can come first.
        recordClosed(.server)
        actions.append(.finish(closeNotify: end != .abrupt))
        switch end {
        case .orderly:
            actions.append(.start(.drain, at: now + ConnectionMachine.drainTime))
        case .announced, .abrupt:
            steps = [.finish(end)]
            hold = .acknowledgement(until: now + ConnectionMachine.acknowledgementLimit)
            actions.append(.countUnacknowledged)
        }
    }

    mutating func recordFault(_ fault: Fault, _ more: String = "") {
        // Progress that the client can have received by now is recorded before the event that ends it.
        if let response = exchange?.response, response.handed > max(response.recorded, 0) { recordProgress() }
        record(
            .fault(
                connection: number, request: exchange?.request, point: fault.point.description,
                effect: fault.recordedEffect.text + more))
    }

    var faultContext: FaultMatcher.FaultContext {
        exchange?.faultContext ?? FaultMatcher.FaultContext(connection: number)
    }
}
