import AdapterProtocol
import NIOCore
import Record
import ScenarioLanguage

/// A proxy's part of one client connection as a state machine: inputs in, actions out, without a socket or a clock.
struct ProxyMachine {
    /// The number of bytes held in one direction beyond which the side that sends them is not read.
    static let pendingLimit = 256 * 1024

    enum Phase {
        /// Before the negotiation: the accept faults, or TLS.
        case opening
        case http(HTTPProxyReader)
        case socks(SOCKSReader)
        case dialing(ProxyRequest)
        case carrying
        /// The client has received the refusal; bytes that it still sends are discarded.
        case refused
        case over
    }

    let number: Int
    private let name: String
    private var phase = Phase.opening
    private var request: (number: Int, pendingProxies: ProxyRequest)?
    /// The work delayed by a pause at `accept` or `request`.
    private var held: Held?
    private var isStalled = false
    private var inbox = ByteBuffer()
    private var uplink = ProxyFlow(stops: [])
    private var downlink = ProxyFlow(stops: [])
    private var hasClientEnded = false
    /// The side that ended first, once that end was forwarded.
    private var firstEnd: ProxyFact.Closing?
    private var isReading: [ProxyFault.Direction: Bool] = [.uplink: true, .downlink: true]
    private var actions: [ProxyAction] = []

    private enum Held { case accept, request }

    init(number: Int, name: String) {
        self.number = number
        self.name = name
    }

    var isOver: Bool { if case .over = phase { true } else { false } }

    mutating func handle(_ input: ProxyInput, at now: Int64, _ state: inout ProxyState) -> [ProxyAction] {
        guard !isOver else { return [] }
        process(input, now, &state)
        advance(now, &state)
        defer { actions.removeAll() }
        return actions
    }

    private mutating func process(_ input: ProxyInput, _ now: Int64, _ state: inout ProxyState) {
        switch input {
        case .opened(let client, let port):
            record(.accepted(client: client, port: port))
            if !applyFaults(at: .accept, now, &state, thenContinuingWith: .accept) { open(state.plan) }
        case .secured(let version, let serverName):
            record(.tlsEstablished(version: version, serverName: serverName))
            phase = .http(HTTPProxyReader(name: name))
        case .handshakeFailed(let reason):
            record(.tlsFailed(reason: reason))
            end(by: .client)
        case .bytes(.uplink, var bytes):
            switch phase {
            case .carrying: uplink.append(bytes)
            case .opening, .http, .socks, .dialing: inbox.writeBuffer(&bytes)
            case .refused, .over: break
            }
        case .bytes(.downlink, let bytes): downlink.append(bytes)
        case .dialed(let result): dialed(result, now, &state)
        case .ended(.uplink):
            hasClientEnded = true
            uplink.hasEnded = true
            switch phase {
            case .opening, .http, .socks, .dialing, .refused: end(by: .client)
            case .carrying, .over: break
            }
        case .ended(.downlink): downlink.hasEnded = true
        case .gone(let direction, let isReset): gone(direction, isReset: isReset)
        case .timer(.hold):
            let work = held
            held = nil
            switch work {
            case .accept: open(state.plan)
            case .request: admit(&state)
            case nil: break
            }
        case .timer(.uplink), .timer(.downlink): break
        case .changed:
            guard case .carrying = phase else { return }
            for direction in ProxyFault.Direction.allCases {
                let stops = state.stops(direction, connection: number, request: request?.number)
                change(direction) { $0.replace(stops: stops) }
            }
        case .released(let breakpoint):
            if request?.number == breakpoint.request { change(breakpoint.direction) { $0.resume() } }
        }
    }

    private mutating func open(_ plan: ProxyPlan) {
        switch plan.kind {
        case .http: phase = .http(HTTPProxyReader(name: name))
        case .https:
            actions.append(.startTLS(inbox))
            inbox = ByteBuffer()
        case .socks5:
            if case .login(let user, let password) = plan.access {
                phase = .socks(SOCKSReader(login: (user, password)))
            } else {
                phase = .socks(SOCKSReader(login: nil))
            }
        }
    }

    // MARK: - Negotiation

    private mutating func advance(_ now: Int64, _ state: inout ProxyState) {
        var continues = true
        while continues, held == nil, !isStalled {
            switch phase {
            case .http(let reader): continues = step(reader, now, &state)
            case .socks(let reader): continues = step(reader, now, &state)
            case .carrying:
                carry(.uplink, now, &state)
                if !isOver { carry(.downlink, now, &state) }
                continues = false
            case .opening, .dialing, .refused, .over: continues = false
            }
        }
        guard !isOver else { return }
        setReading(
            .uplink,
            !isStalled && !uplink.isStalled
                && inbox.readableBytes + uplink.waiting.readableBytes < ProxyMachine.pendingLimit)
        setReading(
            .downlink, !isStalled && !downlink.isStalled && downlink.waiting.readableBytes < ProxyMachine.pendingLimit)
    }

    private mutating func setReading(_ direction: ProxyFault.Direction, _ reads: Bool) {
        guard isReading[direction] != reads else { return }
        isReading[direction] = reads
        actions.append(.read(direction, reads))
    }

    /// Processes the next message; returns false when more must arrive first.
    private mutating func step(_ reader: HTTPProxyReader, _ now: Int64, _ state: inout ProxyState) -> Bool {
        var reader = reader
        let step = reader.next(&inbox)
        phase = .http(reader)
        switch step {
        case .incomplete: return false
        case .bad(let bad):
            record(.badRequest(reason: bad.reason))
            reply(HTTPProxyReader.reply(bad.status, bad.reason, keeps: false))
            refuse()
        case .request(let request): begin(request, now, &state)
        }
        return true
    }

    private mutating func step(_ reader: SOCKSReader, _ now: Int64, _ state: inout ProxyState) -> Bool {
        var reader = reader
        let step = reader.next(&inbox)
        phase = .socks(reader)
        switch step {
        case .incomplete: return false
        case .reply(let bytes): reply(bytes)
        case .refused(let bytes, _, let reason):
            record(.badRequest(reason: reason))
            reply(bytes)
            refuse()
        case .bad(let reason):
            record(.badRequest(reason: reason))
            refuse()
        case .request(let request): begin(request, now, &state)
        }
        return true
    }

    private mutating func begin(_ pendingProxies: ProxyRequest, _ now: Int64, _ state: inout ProxyState) {
        let count = state.countRequest()
        request = (count, pendingProxies)
        record(
            .request(
                count, form: pendingProxies.form, target: pendingProxies.target.text, headers: pendingProxies.headers))
        if !applyFaults(at: .request, now, &state, thenContinuingWith: .request) { admit(&state) }
    }

    /// Admits the request, or requests credentials.
    private mutating func admit(_ state: inout ProxyState) {
        guard let (number, pendingProxies) = request else { return }
        if let (status, fields, reason) = state.refusal(of: pendingProxies) {
            record(.refused(request: number, reply: status))
            reply(HTTPProxyReader.reply(status, reason, headers: fields, keeps: !pendingProxies.hasBody))
            if pendingProxies.hasBody { refuse() }
            return
        }
        phase = .dialing(pendingProxies)
        actions.append(.dial(pendingProxies.target))
    }

    private mutating func dialed(
        _ result: Result<ProxyConnection, ProxyDialError>, _ now: Int64, _ state: inout ProxyState
    ) {
        guard case .dialing(let pendingProxies) = phase, let request else { return }
        switch result {
        case .failure(let error):
            switch pendingProxies.form {
            case .absolute, .connect: refuse(request.number, error.status, "\(error)", pendingProxies)
            case .socks5: refuse(request.number, Int(error.socksReply), "\(error)", pendingProxies)
            }
        case .success(let connection):
            record(
                .connected(
                    request: request.number,
                    from: SocketAddressFormat.of(connection.localAddress, connection.localPort),
                    to: SocketAddressFormat.of(connection.remoteAddress, connection.remotePort)))
            let pace = uplink.pace
            uplink = ProxyFlow(stops: state.stops(.uplink, connection: number, request: request.number))
            downlink = ProxyFlow(stops: state.stops(.downlink, connection: number, request: request.number))
            (uplink.pace, downlink.pace) = (pace, pace)
            phase = .carrying
            switch pendingProxies.form {
            case .connect: reply(HTTPProxyReader.established)
            case .socks5: reply(SOCKSReader.succeeded(connection, boundName: state.plan.boundName))
            case .absolute: actions.append(.write(.uplink, ByteBuffer(bytes: pendingProxies.preface)))
            }
            uplink.append(inbox)
            inbox = ByteBuffer()
            uplink.hasEnded = hasClientEnded
        }
    }

    private mutating func refuse(_ number: Int, _ code: Int, _ reason: String, _ pendingProxies: ProxyRequest) {
        record(.refused(request: number, reply: code))
        switch pendingProxies.form {
        case .absolute, .connect: reply(HTTPProxyReader.reply(code, reason, keeps: false))
        case .socks5: reply(SOCKSReader.reply(UInt8(clamping: code)))
        }
        refuse()
    }

    private mutating func refuse() {
        phase = .refused
        actions.append(.finish(.downlink))
    }

    private mutating func reply(_ bytes: [UInt8]) { actions.append(.write(.downlink, ByteBuffer(bytes: bytes))) }

    // MARK: - Carrying

    private mutating func carry(_ direction: ProxyFault.Direction, _ now: Int64, _ state: inout ProxyState) {
        while case .carrying = phase, !isStalled {
            let next =
                switch direction {
                case .uplink: uplink.next(at: now)
                case .downlink: downlink.next(at: now)
                }
            switch next {
            case .nothing: return
            case .wait(let until):
                actions.append(.start(direction == .uplink ? .uplink : .downlink, at: until))
                return
            case .carry(let bytes): actions.append(.write(direction, bytes))
            case .stop(let bytes):
                if let request,
                    state.contains(ProxyBreakpoint(direction: direction, bytes: bytes, request: request.number))
                {
                    record(.carried(request: request.number, direction, bytes: bytes))
                    change(direction) { $0.pause() }
                    return
                }
                let effects = state.firing(at: .carried(direction, bytes), connection: number, request: request?.number)
                for effect in effects { play(effect, direction, bytes, now) }
            case .end:
                actions.append(.finish(direction))
                if let first = firstEnd {
                    end(by: first)
                } else {
                    firstEnd = direction == .uplink ? .client : .target
                }
            }
        }
    }

    private mutating func play(
        _ effect: ProxyFault.Effect, _ direction: ProxyFault.Direction, _ bytes: Int64, _ now: Int64
    ) {
        guard !isOver else { return }
        record(.fault(point: "\(direction.rawValue) byte \(bytes)", effect: effect.description))
        switch effect {
        case .close: end(by: .proxy)
        case .reset: reset()
        case .stall: change(direction) { $0.isStalled = true }
        case .pause(let time): change(direction) { $0.pausedUntil = now + time.nanoseconds }
        case .throttle(let rate): change(direction) { $0.pace = Pace(rate, at: now) }
        case .refuse: break
        }
    }

    private mutating func change(_ direction: ProxyFault.Direction, _ body: (inout ProxyFlow) -> Void) {
        switch direction {
        case .uplink: body(&uplink)
        case .downlink: body(&downlink)
        }
    }

    /// Returns true when a fault stops the work, permanently or for a while.
    private mutating func applyFaults(
        at point: ProxyFault.Point, _ now: Int64, _ state: inout ProxyState, thenContinuingWith work: Held
    ) -> Bool {
        var takesOver = false
        for effect in state.firing(at: point, connection: number, request: request?.number) where !isOver {
            record(.fault(point: point == .accept ? "accept" : "request", effect: effect.description))
            switch effect {
            case .refuse(let code):
                takesOver = true
                if let request {
                    refuse(request.number, code, "A fault of the scenario refused the request.", request.pendingProxies)
                }
            case .close:
                takesOver = true
                end(by: .proxy)
            case .reset:
                takesOver = true
                reset()
            case .stall:
                takesOver = true
                isStalled = true
            case .pause(let time):
                takesOver = true
                held = work
                actions.append(.start(.hold, at: now + time.nanoseconds))
            case .throttle(let rate):
                uplink.pace = Pace(rate, at: now)
                downlink.pace = Pace(rate, at: now)
            }
        }
        return takesOver
    }

    // MARK: - Ends

    private mutating func gone(_ direction: ProxyFault.Direction, isReset: Bool) {
        if isReset {
            record(.closed(by: .reset, up: uplink.carried, down: downlink.carried))
            phase = .over
            actions.append(direction == .uplink ? .reset(.uplink) : .reset(.downlink))
            return
        }
        switch direction {
        case .uplink: end(by: .client)
        case .downlink: change(.downlink) { $0.hasEnded = true }
        }
    }

    private mutating func end(by whom: ProxyFact.Closing) {
        record(.closed(by: whom, up: uplink.carried, down: downlink.carried))
        phase = .over
        actions += [.close(.downlink), .close(.uplink)]
    }

    private mutating func reset() {
        record(.closed(by: .proxy, up: uplink.carried, down: downlink.carried))
        phase = .over
        actions += [.reset(.downlink), .reset(.uplink)]
    }

    private mutating func record(_ event: ProxyFact.Event) { actions.append(.record(event)) }
}

extension ProxyFault.Effect {
    /// The effect in readable form.
    var description: String {
        switch self {
        case .refuse(let code): "refuse with \(code)"
        case .close: "close"
        case .reset: "reset"
        case .stall: "stall"
        case .pause(let time): "pause for \(time)"
        case .throttle(let rate): "throttle to \(rate)"
        }
    }
}
