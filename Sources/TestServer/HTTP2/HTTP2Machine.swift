import AdapterProtocol
import NIOCore
import Record
import ScenarioLanguage

/// The server's side of one HTTP/2 connection (RFC 9113) from the client's preface on, like `ConnectionMachine` for
/// HTTP/1.1. It encodes its frames itself: a library would not let a fault violate the protocol or stop at a byte.
struct HTTP2Machine {
    enum Phase {
        case open
        /// Nothing is sent any more, but input is still processed; `fin`: this side is finished when everything is
        /// written.
        case halfClosed(fin: Bool)
        case ending(Ending)
        /// Input is discarded.
        case draining
        case over
    }

    enum Ending {
        case finish(ConnectionEnd)
        case reset(Fault, request: Int?)
    }

    enum PendingWriteAck {
        case plain
        case stream(Int)
        /// Like `stream`, and the fact is recorded.
        case fact(Int, ServerFact)
        case head(Int)
        case body(Int, Int)
    }

    /// Limit of data on its way to the kernel, so that a slow client uses little memory and streams alternate.
    static let dataInFlight = 64 * 1024
    /// Number of pending writes beyond which a client that does not read is not read either.
    static let writesInFlight = 1_000
    /// Maximum number of facts about frames in the record of one connection.
    static let mostFrameFacts = 10_000
    /// RFC 9113 §6.5.2.
    static let defaultWindow = 65_535
    static let defaultSettings = [
        HTTP2Setting(.maxConcurrentStreams, 100), HTTP2Setting(.initialWindowSize, 1 << 20),
        HTTP2Setting(.maxHeaderListSize, UInt32(HeaderBlocks.longestList)),
    ]

    let number: Int
    var phase = Phase.open
    var streams: [Int: HTTP2Stream] = [:]
    /// The open streams; a stream that has written data moves to the end.
    var turns: [Int] = []
    var actions: [ConnectionAction] = []
    var pendingWriteAcks: [PendingWriteAck]
    var dataInFlight = 0
    var blocks = HeaderBlocks()
    /// The stream whose response head is begun and not finished: no other stream may write.
    var openBlock: Int?
    var sendWindow = FlowWindow(HTTP2Machine.defaultWindow)
    var receiveWindow = FlowWindow(HTTP2Machine.defaultWindow)
    let connectionWindow: Int
    let dataFrame: Int?
    /// The values of the client's SETTINGS.
    var clientWindow = HTTP2Machine.defaultWindow
    var clientFrame = 1 << 14
    /// The values of our SETTINGS that the client has acknowledged.
    var ownWindow = HTTP2Machine.defaultWindow
    var mostStreams = Int.max
    var unacknowledgedSettings: [[HTTP2Setting]] = []
    var hasClientSettings = false
    /// The highest stream that the client opened.
    var highestStream = 0
    /// Streams whose further frames are ignored: this side has ended them, or never accepted them.
    var forgotten: Set<Int> = []
    /// The last stream in the most recent GOAWAY.
    var lastStream: Int?
    var exchanges = 0
    /// The context of the stream that ended last; faults of the idle connection belong to it.
    var lastFaultContext: FaultMatcher.FaultContext
    var pace: Pace?
    /// The time until which the whole connection waits.
    var resumesAt: Int64?
    var readsDisabled = false
    var postponed: [(due: Int64, fault: Fault, stream: Int?)]
    /// PING frames of a flood that are not acknowledged.
    var pingsOut = 0
    private var reader = FrameReader()
    private var inbox = ByteBuffer()
    private var requestBlock: (stream: Int, bytes: ByteBuffer, priority: PrioritySignal?, endsStream: Bool)?
    private var isReading: Bool
    private var timer: Int64?
    private var isClosedRecorded = false
    private var frameFacts = 0
    var unacknowledged = 0
    /// The time until which an end waits for the client's acknowledgement.
    var acknowledgementLimit: Int64?

    init(
        number: Int, plan: HTTP2Plan, isReading: Bool = true, unwritten: Int = 0, pace: Pace? = nil,
        postponed: [(due: Int64, fault: Fault)] = []
    ) {
        self.number = number
        self.isReading = isReading
        self.pace = pace
        self.postponed = postponed.map { ($0.due, $0.fault, nil) }
        connectionWindow = Int(clamping: plan.connectionWindow.bytes)
        dataFrame = plan.dataFrame.map { max(1, Int(clamping: $0.bytes)) }
        pendingWriteAcks = Array(repeating: .plain, count: unwritten)
        lastFaultContext = FaultMatcher.FaultContext(connection: number, isHTTP2: true)
        let settings =
            HTTP2Machine.defaultSettings.filter { own in !plan.settings.contains { $0.name == own.name } }
            + plan.settings
        sendSettings(settings)
        if connectionWindow > HTTP2Machine.defaultWindow { grantConnection() }
    }

    /// Starts with the bytes that arrived before HTTP/2 was detected.
    mutating func begin(_ bytes: ByteBuffer, at now: Int64, _ origin: inout OriginState) -> [ConnectionAction] {
        handle(.bytes(bytes), at: now, &origin)
    }

    mutating func handle(_ input: ConnectionInput, at now: Int64, _ origin: inout OriginState) -> [ConnectionAction] {
        if case .over = phase { return [] }
        process(input, now, &origin)
        advance(now, &origin)
        defer { actions.removeAll(keepingCapacity: true) }
        return actions
    }

    private mutating func process(_ input: ConnectionInput, _ now: Int64, _ origin: inout OriginState) {
        switch input {
        case .bytes(let bytes):
            switch phase {
            case .open, .halfClosed: break
            case .ending, .draining, .over: return
            }
            inbox.append(bytes)
        case .written:
            recordWritten()
        case .timer(.hold):
            timer = nil
            if case .ending = phase { actions.append(.countUnacknowledged) }
        case .timer(.idle):
            guard case .open = phase, streams.isEmpty else { return }
            sendGoAway(last: highestStream, .noError)
            phase = .ending(.finish(.orderly))
        case .timer(.drain):
            close()
        case .timer(.fault):
            applyDueFaults(now, &origin)
        case .unacknowledged(let bytes):
            recordUnacknowledged(bytes, now)
        case .released(let breakpoint):
            for id in turns
            where streams[id]?.request == breakpoint.request && streams[id]?.breakpoint == breakpoint.bytes {
                streams[id]?.breakpoint = nil
            }
        case .ended(let isReset):
            for id in turns { recordProgress(id) }
            recordClosed(isReset ? .reset : .client)
            phase = .over
        case .opened, .secured, .pausedBeforeFinished, .handshakeFailed:
            // These belong to the time before HTTP/2 began, or to a TLS layer that ends the connection itself.
            break
        }
    }

    private mutating func advance(_ now: Int64, _ origin: inout OriginState) {
        if let resumesAt, resumesAt <= now { self.resumesAt = nil }
        while resumesAt == nil {
            let hasReceived = processFrames(now, &origin)
            let hasArrived = processArrivals(now, &origin)
            let hasDone = runStreams(now, &origin)
            guard hasReceived || hasArrived || hasDone else { break }
        }
        end(now)
        setTimer()
        setReading()
    }

    // MARK: - Input

    private mutating func processFrames(_ now: Int64, _ origin: inout OriginState) -> Bool {
        var hasReceived = false
        while true {
            switch phase {
            case .open, .halfClosed: break
            case .ending, .draining, .over: return hasReceived
            }
            guard resumesAt == nil, !readsDisabled else { return hasReceived }
            do throws(HTTP2Violation) {
                guard let frame = try reader.next(&inbox) else { return hasReceived }
                hasReceived = true
                try process(frame, now, &origin)
            } catch {
                refuse(error)
            }
        }
    }

    private mutating func process(_ frame: Frame, _ now: Int64, _ origin: inout OriginState) throws(HTTP2Violation) {
        let content = try FrameContent(frame)
        if !hasClientSettings {
            guard case .settings = content else {
                throw HTTP2Violation(.protocolError, "the client's preface lacks SETTINGS")
            }
            hasClientSettings = true
        }
        switch content {
        case .headers(let block, let priority, let endsStream, let endsBlock):
            requestBlock = (frame.stream, block, priority, endsStream)
            if endsBlock { try finishBlock(now, &origin) }
        case .continuation(var block, let endsBlock):
            requestBlock?.bytes.writeBuffer(&block)
            guard requestBlock?.bytes.readableBytes ?? 0 <= HeaderBlocks.longestList else {
                throw HTTP2Violation(
                    .enhanceYourCalm, "a header block of more than \(HeaderBlocks.longestList / 1024) KiB")
            }
            if endsBlock { try finishBlock(now, &origin) }
        case .data, .priority, .priorityUpdate, .resetStream, .settings, .settingsAcknowledged, .ping, .pong, .goAway,
            .windowUpdate,
            .unknown:
            try process(content, of: frame, now, &origin)
        }
    }

    private mutating func finishBlock(_ now: Int64, _ origin: inout OriginState) throws(HTTP2Violation) {
        guard let block = requestBlock else { return }
        requestBlock = nil
        // Ignored blocks are decoded too: the table depends on every block sent.
        let fields = try blocks.read(block.bytes)
        try processFields(fields, of: block.stream, block.priority, endsStream: block.endsStream, now, &origin)
    }

    // MARK: - Shell

    private mutating func setTimer() {
        switch phase {
        case .open, .halfClosed: break
        case .ending, .draining, .over: return
        }
        let next = (streams.values.flatMap { [$0.resumesAt, $0.readyAt] } + [resumesAt]).compactMap(\.self).min()
        guard next != timer else { return }
        timer = next
        actions.append(next.map { .start(.hold, at: $0) } ?? .cancel(.hold))
    }

    private mutating func setReading() {
        if case .over = phase { return }
        let reads =
            !readsDisabled && inbox.readableBytes < ConnectionMachine.inboxLimit
            && pendingWriteAcks.count < HTTP2Machine.writesInFlight
        guard reads != isReading else { return }
        isReading = reads
        actions.append(.read(reads))
    }

    mutating func record(_ fact: ServerFact) { actions.append(.record(fact)) }

    mutating func recordFrame(_ kind: String, _ stream: Int, by: ServerFact.Side, _ text: String) {
        guard frameFacts < HTTP2Machine.mostFrameFacts else { return }
        frameFacts += 1
        record(
            .frame(
                connection: number, stream: stream, request: streams[stream]?.request, by: by, type: kind, text: text))
    }

    mutating func recordClosed(_ by: ServerFact.Closing) {
        guard !isClosedRecorded else { return }
        isClosedRecorded = true
        record(.closed(connection: number, by: by))
    }

    mutating func allowFrames(of size: Int) { reader.longestPayload = size }

    mutating func forgetInbox() { inbox.clear() }
}
