import Record
import AdapterProtocol
import NIOCore
import ScenarioLanguage

/// Processes a client's frames.
extension HTTP2Machine {
    mutating func process(
        _ content: FrameContent, of frame: Frame, _ now: Int64, _ origin: inout OriginState
    ) throws(HTTP2Violation) {
        let id = frame.stream
        switch content {
        case .data(let part, let endsStream):
            try processData(part, of: id, length: frame.payload.readableBytes, endsStream: endsStream, now, &origin)
        case .priority(let signal):
            recordFrame("PRIORITY", id, by: .client, signal.description)
        case .priorityUpdate(let stream, let text):
            recordFrame("PRIORITY_UPDATE", stream, by: .client, text)
        case .resetStream(let code):
            guard id <= highestStream else {
                throw HTTP2Violation(.protocolError, "RST_STREAM of stream \(id), which was never opened")
            }
            recordFrame("RST_STREAM", id, by: .client, code.name)
            drop(id, now, &origin)
        case .settings(let fields):
            recordFrame("SETTINGS", 0, by: .client, fields.map(\.description).joined(separator: ", "))
            try applySettings(fields)
            put(Frame.bytes(.settings, Frame.Flag.acknowledges))
        case .settingsAcknowledged:
            guard !unacknowledgedSettings.isEmpty else {
                throw HTTP2Violation(.protocolError, "an acknowledgement without SETTINGS")
            }
            recordFrame("SETTINGS", 0, by: .client, "acknowledged")
            settle(unacknowledgedSettings.removeFirst())
        case .ping(let bytes):
            recordFrame("PING", 0, by: .client, "")
            put(Frame.bytes(.ping, Frame.Flag.acknowledges, bytes))
        case .pong:
            guard pingsOut > 0 else {
                recordFrame("PING", 0, by: .client, "acknowledged, but no PING was sent")
                return
            }
            pingsOut -= 1
            if pingsOut == 0 { recordFrame("PING", 0, by: .client, "all acknowledged") }
        case .goAway(let last, let code, let reason):
            recordFrame(
                "GOAWAY", 0, by: .client,
                "\(code.name), last stream \(last)\(reason.isEmpty ? "" : ", \(reason.prefix(100))")")
        case .windowUpdate(let more):
            try widen(id, by: more)
        case .unknown:
            recordFrame("type \(frame.type)", id, by: .client, "\(frame.payload.readableBytes) bytes")
        case .headers, .continuation:
            break
        }
    }

    // MARK: - Requests

    mutating func processFields(
        _ fields: [HeaderField], of id: Int, _ priority: PrioritySignal?, endsStream: Bool, _ now: Int64,
        _ origin: inout OriginState
    ) throws(HTTP2Violation) {
        if let stream = streams[id] {
            guard !stream.hasClientEnded else {
                throw HTTP2Violation(.streamClosed, "HEADERS on a stream that the client has ended", stream: id)
            }
            guard endsStream else {
                throw HTTP2Violation(.protocolError, "trailers that do not end their stream", stream: id)
            }
            try RequestFields.checkTrailers(fields, stream: id)
            streams[id]?.endsWithArrived = true
            _ = try processArrived(id, now, &origin)
            return
        }
        if forgotten.contains(id) { return }
        guard id % 2 == 1 else {
            throw HTTP2Violation(.protocolError, "a request on stream \(id), which a client cannot open")
        }
        guard id > highestStream else {
            throw HTTP2Violation(.streamClosed, "a request on stream \(id) after stream \(highestStream)")
        }
        highestStream = id
        if let lastStream, id > lastStream {
            // RFC 9113 §6.8: not processed, and the client may send it again elsewhere.
            recordFrame("HEADERS", id, by: .client, "ignored after GOAWAY")
            forgotten.insert(id)
            return
        }
        guard streams.count < mostStreams else {
            recordFrame("HEADERS", id, by: .client, "refused: \(streams.count) streams are open")
            return resetStream(id, .refusedStream)
        }
        let head: RequestHead
        do throws(HTTP2Violation) {
            head = try RequestFields.head(fields, stream: id, hasBody: !endsStream)
        } catch {
            forgotten.insert(id)
            throw error
        }
        begin(head, id, priority, &origin)
        if endsStream { try endRequest(id, now, &origin) }
    }

    private mutating func begin(
        _ head: RequestHead, _ id: Int, _ priority: PrioritySignal?, _ origin: inout OriginState
    ) {
        if streams.isEmpty {
            actions.append(.cancel(.idle))
            forgetIdleFaults()
        }
        exchanges += 1
        let (request, pathRequest) = origin.countRequest(head.path)
        let faultContext = FaultMatcher.FaultContext(
            connection: number, request: request, path: head.path, pathRequest: pathRequest, exchange: exchanges,
            stream: id,
            isHTTP2: true)
        record(
            .requestHead(
                connection: number, exchange: exchanges, request: request, method: head.method, target: head.target,
                headers: head.headers))
        record(.stream(request: request, stream: id, priority: priority?.description))
        if let flood = origin.newFlood() { actions.append(.flood(flood)) }
        let stops: [Int64] = origin.faults.points(for: faultContext).compactMap { point in
            if case .requestBody(let bytes) = point { bytes } else { nil }
        }
        let echoes = origin.responder.route(for: head)?.contents.contains(.echo) == true
        var stream = HTTP2Stream(
            id: id, request: request, head: head, faultContext: faultContext,
            inspection: BodyInspection(of: head, echoes: echoes, redirects: origin.redirects(to: head.path)),
            bodyStops: Set(stops).sorted(), sendWindow: FlowWindow(clientWindow), receiveWindow: FlowWindow(ownWindow))
        if exchanges > 1 { stream.steps.append(.point(.reusedRequest)) }
        stream.steps.append(.point(.requestHead))
        if head.body != .none {
            if head.lists("100-continue", in: "expect") { stream.steps.append(.proceed) }
            stream.steps += stream.reachedBodyStops().map { .point(.requestBody($0)) }
        }
        streams[id] = stream
        turns.append(id)
    }

    private mutating func processData(
        _ part: ByteBuffer, of id: Int, length: Int, endsStream: Bool, _ now: Int64, _ origin: inout OriginState
    ) throws(HTTP2Violation) {
        receiveWindow.spend(length)
        guard receiveWindow.left >= 0 else {
            throw HTTP2Violation(
                .flowControlError, "\(-receiveWindow.left) bytes more than the connection's window allows")
        }
        grantConnection()
        guard var stream = streams[id] else {
            if forgotten.contains(id) { return }
            guard id <= highestStream else {
                throw HTTP2Violation(.protocolError, "DATA on stream \(id), which was never opened")
            }
            throw HTTP2Violation(.streamClosed, "DATA on stream \(id), which is closed")
        }
        guard !stream.hasClientEnded else {
            throw HTTP2Violation(.streamClosed, "DATA on a stream that the client has ended", stream: id)
        }
        stream.receiveWindow.spend(length)
        guard stream.receiveWindow.left >= 0 else {
            throw HTTP2Violation(
                .flowControlError, "\(-stream.receiveWindow.left) bytes more than the window of stream \(id) allows",
                stream: id)
        }
        // Padding is granted again without waiting for the stream's pace.
        stream.pendingBytes += length - part.readableBytes
        var part = part
        stream.arrived.writeBuffer(&part)
        stream.endsWithArrived = endsStream
        streams[id] = stream
        _ = try processArrived(id, now, &origin)
    }

    mutating func endRequest(_ id: Int, _ now: Int64, _ origin: inout OriginState) throws(HTTP2Violation) {
        guard let stream = streams[id] else { return }
        if case .length(let length) = stream.head.body, length != stream.inspection.count {
            throw HTTP2Violation(
                .protocolError, "a body of \(stream.inspection.count) bytes with content-length \(length)",
                stream: id)
        }
        streams[id]?.isReceived = true
        record(
            .requestEnded(
                request: stream.request, bodyBytes: stream.inspection.count, differsAt: stream.inspection.differsAt,
                bodyText: stream.inspection.text))
        if stream.hasResponded {
            remove(id, now, &origin)
        } else if stream.response == nil {
            streams[id]?.steps.append(.respond)
        }
    }

    // MARK: - Settings and windows

    private mutating func applySettings(_ fields: [SettingField]) throws(HTTP2Violation) {
        for field in fields {
            switch HTTP2Setting.Name(rawValue: field.id) {
            case .headerTableSize: blocks.limitTable(to: field.value)
            case .initialWindowSize:
                let change = Int(field.value) - clientWindow
                clientWindow = Int(field.value)
                for id in turns where streams[id]?.sendWindow.grant(change) == false {
                    throw HTTP2Violation(
                        .flowControlError, "INITIAL_WINDOW_SIZE makes the window of stream \(id) too large")
                }
            case .maxFrameSize: clientFrame = Int(field.value)
            case .enablePush, .maxConcurrentStreams, .maxHeaderListSize, .enableConnectProtocol, .noRFC7540Priorities,
                nil:
                // The origin never pushes, and sends header lists of the length that the scenario specifies.
                break
            }
        }
    }

    /// Applies settings that the client has acknowledged.
    private mutating func settle(_ settings: [HTTP2Setting]) {
        for setting in settings {
            switch setting.name {
            case .initialWindowSize:
                let change = Int(setting.value) - ownWindow
                ownWindow = Int(setting.value)
                for id in turns {
                    _ = streams[id]?.receiveWindow.grant(change)
                    // A small part of the old window may be a large part of the new one, and a client without any
                    // window sends nothing.
                    grant(id)
                }
            case .maxConcurrentStreams: mostStreams = Int(setting.value)
            case .maxFrameSize: allowFrames(of: Int(setting.value))
            case .headerTableSize, .enablePush, .maxHeaderListSize, .enableConnectProtocol, .noRFC7540Priorities: break
            }
        }
    }

    private mutating func widen(_ id: Int, by more: Int) throws(HTTP2Violation) {
        if id == 0 {
            guard sendWindow.grant(more) else { throw HTTP2Violation(.flowControlError, "WINDOW_UPDATE beyond 2^31-1") }
            return
        }
        guard id <= highestStream else {
            throw HTTP2Violation(.protocolError, "WINDOW_UPDATE of stream \(id), which was never opened")
        }
        guard streams[id]?.sendWindow.grant(more) != false else {
            throw HTTP2Violation(.flowControlError, "WINDOW_UPDATE beyond 2^31-1", stream: id)
        }
    }

    /// Refills the connection's window when half of it is used.
    mutating func grantConnection() {
        guard receiveWindow.left <= connectionWindow / 2 || receiveWindow.left == HTTP2Machine.defaultWindow else {
            return
        }
        let more = connectionWindow - receiveWindow.left
        guard more > 0, receiveWindow.grant(more) else { return }
        put(Frame.windowUpdate(0, more))
    }

    /// Grants the bytes that the stream has used, when they are half of its window; a waiting stream is granted
    /// nothing.
    mutating func grant(_ id: Int) {
        guard let stream = streams[id], !stream.isReceived, !stream.isWindowClosed, !stream.isHeld else { return }
        guard stream.pendingBytes > 0, stream.pendingBytes * 2 >= ownWindow || stream.pace != nil || pace != nil else {
            return
        }
        guard !stream.steps.contains(where: { if case .point(.requestBody) = $0 { true } else { false } }) else {
            return
        }
        widenOwn(id, by: stream.pendingBytes)
    }

    mutating func widenOwn(_ id: Int, by more: Int) {
        guard streams[id]?.receiveWindow.grant(more) == true else { return }
        streams[id]?.pendingBytes = 0
        put(Frame.windowUpdate(id, more), of: id)
    }

    // MARK: - Violations

    /// A stream error ends the stream, any other error the connection (RFC 9113 §5.4).
    mutating func refuse(_ violation: HTTP2Violation) {
        record(.badRequest(connection: number, reason: violation.reason))
        if let id = violation.stream {
            resetStream(id, violation.code)
        } else {
            sendGoAway(last: highestStream, violation.code, violation.reason)
            phase = .ending(.finish(.orderly))
        }
    }
}
