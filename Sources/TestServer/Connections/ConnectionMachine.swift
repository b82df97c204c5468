import NIOCore
import Record
import ScenarioLanguage

/// The server's side of one connection as a state machine: inputs in, actions out, without a socket or a clock.
struct ConnectionMachine {
    /// The size of a piece of a response body; its progress is recorded once per piece.
    static let pieceSize = 64 * 1024
    /// The number of received but unprocessed bytes beyond which the socket is not read.
    static let inboxLimit = 64 * 1024
    /// The maximum time in nanoseconds for bytes before a reset to arrive, and for a FIN before the socket is closed.
    static let acknowledgementLimit: Int64 = 5_000_000_000
    static let acknowledgementPoll: Int64 = 2_000_000
    /// The time for which an orderly end keeps reading (RFC 9112 §9.6).
    static let drainTime: Int64 = 1_000_000_000

    enum Mode {
        /// Input is not processed.
        case closed
        case clientHello
        case requests
        /// Input is discarded.
        case draining
    }

    /// The reason why the machine waits.
    enum Hold: Hashable {
        case writes
        case time
        case breakpoint(Int64)
        case acknowledgement(until: Int64)
        case handshake
        /// Even reading has stopped.
        case stalled
    }

    enum Output { case open, silent, finished }
    enum PendingWriteAck {
        case plain, head
        case body(Int)
        case fact(ServerFact)
    }

    let number: Int
    let isSecure: Bool
    var mode = Mode.closed
    var hold: Hold?
    var output = Output.open
    var steps: [ConnectionStep] = []
    var pendingWriteAcks: [PendingWriteAck] = []
    var actions: [ConnectionAction] = []
    var exchange: Exchange?
    var exchanges = 0
    var pace: Pace?
    /// True if the pace began before the first request and therefore applies to the whole connection.
    var keepsPace = false
    var unacknowledged = 0
    /// True once keys are agreed.
    var isEncrypted = false
    /// True once nothing is read any more.
    var readsDisabled = false
    /// Delayed faults, with their due times.
    var postponed: [(due: Int64, fault: Fault)] = []
    /// The protocol agreed with ALPN.
    var agreedProtocol: String?
    /// The machine that has taken over a connection of HTTP/2.
    private(set) var http2: HTTP2Machine?
    private var parser = RequestParser()
    private var inbox = ByteBuffer()
    private var isReading = true
    private var isClosedRecorded = false
    private(set) var isOver = false

    init(number: Int, isSecure: Bool) {
        self.number = number
        self.isSecure = isSecure
    }

    mutating func handle(_ input: ConnectionInput, at now: Int64, _ origin: inout OriginState) -> [ConnectionAction] {
        guard !isOver else { return [] }
        if let actions = http2?.handle(input, at: now, &origin) { return actions }
        process(input, now, &origin)
        if case .opened = input {
            if let flood = origin.newFlood() { actions.append(.flood(flood)) }
            if origin.isFull { steps = [.reset(nil)] }
        }
        advance(now, &origin)
        defer { actions.removeAll(keepingCapacity: true) }
        return actions
    }

    private mutating func process(_ input: ConnectionInput, _ now: Int64, _ origin: inout OriginState) {
        switch input {
        case .opened(let client, let port):
            record(.accepted(connection: number, client: client, port: port))
            steps = [.point(.accept)] + (isSecure ? [.point(.tlsStart)] : []) + [.open]
        case .bytes(let bytes):
            guard mode != .draining else { return }
            inbox.append(bytes)
        case .written:
            recordWritten()
        case .timer(.hold):
            if case .acknowledgement = hold { actions.append(.countUnacknowledged) } else { release(.time) }
        case .timer(.idle):
            if exchange == nil, !parser.isInsideBody, inbox.readableBytes == 0, hold == nil, output == .open {
                steps = [.finish(.orderly)]
            }
        case .timer(.drain):
            close()
        case .timer(.fault):
            applyDueFaults(now)
        case .unacknowledged(let bytes):
            guard case .acknowledgement(let limit) = hold else { return }
            unacknowledged = bytes
            if bytes == 0 || now >= limit {
                hold = nil
            } else {
                actions.append(.start(.hold, at: now + ConnectionMachine.acknowledgementPoll))
            }
        case .released(let breakpoint):
            if exchange?.request == breakpoint.request { release(.breakpoint(breakpoint.bytes)) }
        case .secured(let version, let serverName, let alpn):
            agreedProtocol = alpn
            record(.tlsEstablished(connection: number, version: version, serverName: serverName))
            isEncrypted = true
            mode = .requests
            release(.handshake)
        case .pausedBeforeFinished(let faults):
            guard hold == .handshake else { return }
            pauseBeforeFinished(faults, now, &origin)
        case .handshakeFailed(let reason, let byClient):
            guard hold == .handshake else { return }
            record(.tlsFailed(connection: number, reason: reason))
            if !byClient { recordClosed(.server) }
            hold = nil
            mode = .draining
        case .ended(let isReset):
            if hold == .handshake {
                record(.tlsFailed(connection: number, reason: "the client closed the connection during the handshake"))
            }
            if let exchange, let response = exchange.response, response.handed > max(response.recorded, 0) {
                recordProgress()
            }
            recordClosed(isReset ? .reset : .client)
            isOver = true
        }
    }

    private mutating func advance(_ now: Int64, _ origin: inout OriginState) {
        while !isOver, hold == nil {
            if steps.isEmpty {
                guard processHead(now, &origin) else { break }
            } else {
                perform(steps.removeFirst(), now, &origin)
            }
        }
        guard http2 == nil else { return }
        let reads = !isOver && hold != .stalled && !readsDisabled && inbox.readableBytes < ConnectionMachine.inboxLimit
        if reads != isReading, !isOver {
            isReading = reads
            actions.append(.read(reads))
        }
    }

    private mutating func release(_ expected: Hold) {
        if hold == expected { hold = nil }
    }

    // MARK: - Input

    /// Processes the next part of the received bytes; returns false when more must arrive first.
    private mutating func processHead(_ now: Int64, _ origin: inout OriginState) -> Bool {
        switch mode {
        case .closed, .draining:
            return false
        case .clientHello:
            guard ClientHello.inspect(inbox) != .incomplete else { return false }
            mode = .closed
            steps = [.point(.tlsClientHello), .startTLS]
            return true
        case .requests:
            guard let isHTTP2 = beginsHTTP2(inbox, origin.protocols) else { return false }
            guard !isHTTP2 else {
                beginHTTP2(now, &origin)
                return false
            }
            // A request that needs no further bytes is completed even when nothing is read.
            guard !readsDisabled || exchange.map({ $0.head.body == .none && !$0.isReceived }) == true else {
                return false
            }
            return processRequest(now, &origin)
        }
    }

    private mutating func processRequest(_ now: Int64, _ origin: inout OriginState) -> Bool {
        var limit = exchange?.bodyLimit ?? Int.max
        if parser.isInsideBody, let pace { limit = min(limit, pace.pieceSize) }
        switch parser.next(&inbox, atMost: limit) {
        case nil:
            return false
        case .head(let head):
            begin(head, now, &origin)
        case .body(let part):
            exchange?.inspection.update(part)
            recordUpload(part.readableBytes, &origin)
            if output == .open, var pace {
                pace.forgetIdleTime(at: now)
                wait(until: pace.due(after: part.readableBytes), now)
                pace.spend(part.readableBytes)
                self.pace = pace
            }
            if let stop = exchange?.reachedBodyStop(), output == .open { steps.append(.point(.requestBody(stop))) }
        case .ended:
            endRequest(now, &origin)
        case .bad(let bad):
            record(.badRequest(connection: number, reason: bad.reason))
            exchange = nil
            guard output == .open else {
                mode = .draining
                return true
            }
            let text = "\(bad.reason)\n"
            let head =
                "HTTP/1.1 \(bad.status) \(ReasonPhrase.of(bad.status))\r\nDate: \(origin.date)\r\nContent-Type: text/plain\r\n"
                + "Content-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n"
            steps = [.write(Array((head + text).utf8)), .finish(.orderly)]
        }
        return true
    }

    private mutating func begin(_ head: RequestHead, _ now: Int64, _ origin: inout OriginState) {
        actions.append(.cancel(.idle))
        exchanges += 1
        let (request, pathRequest) = origin.countRequest(head.path)
        forgetIdleFaults()
        let faultContext = FaultMatcher.FaultContext(
            connection: number, request: request, path: head.path, pathRequest: pathRequest, exchange: exchanges)
        record(
            .requestHead(
                connection: number, exchange: exchanges, request: request, method: head.method, target: head.target,
                headers: head.headers))
        if let flood = origin.newFlood() { actions.append(.flood(flood)) }
        let stops: [Int64] = origin.faults.points(for: faultContext).compactMap { point in
            if case .requestBody(let bytes) = point { bytes } else { nil }
        }
        let echoes = origin.responder.route(for: head)?.contents.contains(.echo) == true
        exchange = Exchange(
            request: request, head: head, faultContext: faultContext,
            inspection: BodyInspection(of: head, echoes: echoes, redirects: origin.redirects(to: head.path)),
            bodyStops: Set(stops).sorted())
        let upload = origin.uploads.begin(head, request: request, route: origin.responder.route(for: head))
        if let upload { exchange?.inspection = BodyInspection(path: upload.path, echoes: false, from: upload.offset) }
        guard output == .open else { return }
        if exchanges > 1 { steps.append(.point(.reusedRequest)) }
        steps.append(.point(.requestHead))
        if let interim = upload?.interim, head.minorVersion > 0 { steps.append(interimStep(interim, request)) }
        guard head.body != .none else { return }
        // RFC 9110 §10.1.1.
        if head.minorVersion == 1, head.lists("100-continue", in: "expect") {
            steps.append(.proceed)
        }
        if let stop = exchange?.reachedBodyStop() { steps.append(.point(.requestBody(stop))) }
    }

    private mutating func recordUpload(_ bytes: Int, _ origin: inout OriginState) {
        guard let exchange, let interim = origin.uploads.receive(bytes, of: exchange.request) else { return }
        if output == .open, exchange.response == nil, exchange.head.minorVersion > 0 {
            steps.append(interimStep(interim, exchange.request))
        }
    }

    private mutating func endRequest(_ now: Int64, _ origin: inout OriginState) {
        guard let exchange else { return }
        self.exchange?.isReceived = true
        origin.uploads.end(exchange.request)
        record(
            .requestEnded(
                request: exchange.request, bodyBytes: exchange.inspection.count,
                differsAt: exchange.inspection.differsAt,
                bodyText: exchange.inspection.text))
        guard output == .open else {
            self.exchange = nil
            return
        }
        if let response = exchange.response {
            // The response began before the request ended; nothing else is read while it is being sent.
            steps += afterExchange(response)
        } else {
            steps += respond(exchange, &origin)
        }
    }

    // MARK: - Common

    mutating func record(_ fact: ServerFact) { actions.append(.record(fact)) }

    mutating func recordClosed(_ by: ServerFact.Closing) {
        guard !isClosedRecorded else { return }
        isClosedRecorded = true
        record(.closed(connection: number, by: by))
    }

    mutating func wait(until time: Int64, _ now: Int64) {
        guard time > now else { return }
        hold = .time
        actions.append(.start(.hold, at: time))
    }

    /// Drops the planned steps: this side sends nothing more.
    mutating func leave(_ mode: Mode) {
        steps.removeAll()
        self.mode = mode
        if mode == .draining { inbox.clear() }
    }

    mutating func close() {
        recordClosed(.server)
        actions.append(.close)
        isOver = true
    }

    mutating func reset() {
        recordClosed(.server)
        actions.append(.reset)
        isOver = true
    }

    private mutating func beginHTTP2(_ now: Int64, _ origin: inout OriginState) {
        mode = .closed
        var machine = HTTP2Machine(
            number: number, plan: origin.http2, isReading: isReading, unwritten: pendingWriteAcks.count,
            pace: keepsPace ? pace : nil,
            postponed: postponed)
        actions += machine.begin(handOverInbox(), at: now, &origin)
        http2 = machine
    }

    mutating func handOverInbox() -> ByteBuffer {
        defer { inbox = ByteBuffer() }
        return inbox
    }
}

extension Exchange {
    /// The number of body bytes that may be read before the next position of a fault.
    fileprivate var bodyLimit: Int {
        bodyStops.first.map { Int(clamping: max(1, $0 - inspection.count)) } ?? .max
    }

    /// Returns the position just reached, once.
    fileprivate mutating func reachedBodyStop() -> Int64? {
        guard let next = bodyStops.first, next <= inspection.count else { return nil }
        return bodyStops.removeFirst()
    }
}

/// Detects HTTP/2 on a connection and hands the connection over to its machine.
extension ConnectionMachine {
    /// Returns true if the bytes begin HTTP/2; nil when more must come first.
    func beginsHTTP2(_ bytes: ByteBuffer, _ protocols: [ApplicationProtocol]) -> Bool? {
        guard exchanges == 0, protocols.contains(.http2) else { return false }
        if agreedProtocol == ApplicationProtocol.http2.rawValue { return true }
        // An origin that supports only HTTP/2 accepts nothing else, and reports the error in HTTP/2 (RFC 9113 §3.4).
        guard protocols.contains(.http1) else { return true }
        // Prior knowledge; with TLS the handshake has decided.
        guard !isSecure else { return false }
        guard bytes.readableBytes > 0 else { return nil }
        do throws(HTTP2Violation) {
            return try FrameReader.verifyPreface(bytes) ? true : nil
        } catch {
            return false
        }
    }
}

extension ByteBuffer {
    /// Appends received bytes after the unread ones; an empty buffer takes them over without a copy.
    mutating func append(_ bytes: ByteBuffer) {
        guard readableBytes > 0 else { return self = bytes }
        discardReadBytes()
        writeImmutableBuffer(bytes)
    }
}
