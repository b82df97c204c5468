import AdapterProtocol
import NIOCore
import Scenario

/// Plays a proxy's part of one client connection: what happened goes in, what to do comes out. It knows no socket and no clock.
struct ProxyMachine {
    /// Bytes held in one direction, beyond which the side that sends them is not read.
    static let heldLimit = 256 * 1024

    enum Phase {
        /// Not yet at work: the accept faults, or TLS.
        case opening
        case http(HTTPProxyReader)
        case socks(SOCKSReader)
        case dialing(ProxyRequest)
        case carrying
        /// The client has been told why not; what it still sends is thrown away.
        case refused
        case over
    }

    let number: Int
    private let name: String
    private var phase = Phase.opening
    private var request: (number: Int, asked: ProxyRequest)?
    /// Work that a pause at `accept` or `request` holds up.
    private var held: Held?
    private var isStalled = false
    private var inbox = ByteBuffer()
    private var up = ProxyFlow(stops: [])
    private var down = ProxyFlow(stops: [])
    private var hasClientEnded = false
    /// Whose end went on first.
    private var firstEnd: String?
    private var isReading: [ProxyFault.Direction: Bool] = [.up: true, .down: true]
    private var actions: [ProxyAction] = []

    private enum Held { case accept, request }

    init(number: Int, name: String) {
        self.number = number
        self.name = name
    }

    var isOver: Bool { if case .over = phase { true } else { false } }

    mutating func handle(_ input: ProxyInput, at now: Int64, _ state: inout ProxyState) -> [ProxyAction] {
        guard !isOver else { return [] }
        take(input, now, &state)
        advance(now, &state)
        defer { actions.removeAll() }
        return actions
    }

    private mutating func take(_ input: ProxyInput, _ now: Int64, _ state: inout ProxyState) {
        switch input {
        case .opened(let client, let port):
            record(.accepted(client: client, port: port))
            if !strike(at: .accept, now, &state, thenGoingOnWith: .accept) { open(state.plan) }
        case .secured(let version, let serverName):
            record(.tlsEstablished(version: version, serverName: serverName))
            phase = .http(HTTPProxyReader(name: name))
        case .handshakeFailed(let reason):
            record(.tlsFailed(reason: reason))
            end(by: "client")
        case .bytes(.up, var bytes):
            switch phase {
            case .carrying: up.take(bytes)
            case .opening, .http, .socks, .dialing: inbox.writeBuffer(&bytes)
            case .refused, .over: break
            }
        case .bytes(.down, let bytes): down.take(bytes)
        case .dialed(let result): dialed(result, now, &state)
        case .ended(.up):
            hasClientEnded = true
            up.hasEnded = true
            switch phase {
            case .opening, .http, .socks, .dialing, .refused: end(by: "client")
            case .carrying, .over: break
            }
        case .ended(.down): down.hasEnded = true
        case .gone(let direction, let isReset): gone(direction, isReset: isReset)
        case .timer(.hold):
            let work = held
            held = nil
            switch work {
            case .accept: open(state.plan)
            case .request: admit(&state)
            case nil: break
            }
        case .timer(.up), .timer(.down): break
        case .changed:
            guard case .carrying = phase else { return }
            for direction in ProxyFault.Direction.allCases {
                let stops = state.stops(direction, connection: number, request: request?.number)
                change(direction) { $0.replace(stops: stops) }
            }
        case .released(let mark):
            if request?.number == mark.request { change(mark.direction) { $0.goOn() } }
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
        var goesOn = true
        while goesOn, held == nil, !isStalled {
            switch phase {
            case .http(let reader): goesOn = step(reader, now, &state)
            case .socks(let reader): goesOn = step(reader, now, &state)
            case .carrying:
                carry(.up, now, &state)
                if !isOver { carry(.down, now, &state) }
                goesOn = false
            case .opening, .dialing, .refused, .over: goesOn = false
            }
        }
        guard !isOver else { return }
        setReading(.up, !isStalled && !up.isStalled && inbox.readableBytes + up.waiting.readableBytes < ProxyMachine.heldLimit)
        setReading(.down, !isStalled && !down.isStalled && down.waiting.readableBytes < ProxyMachine.heldLimit)
    }

    private mutating func setReading(_ direction: ProxyFault.Direction, _ reads: Bool) {
        guard isReading[direction] != reads else { return }
        isReading[direction] = reads
        actions.append(.read(direction, reads))
    }

    /// False when more must arrive first.
    private mutating func step(_ reader: HTTPProxyReader, _ now: Int64, _ state: inout ProxyState) -> Bool {
        var reader = reader
        let step = reader.next(&inbox)
        phase = .http(reader)
        switch step {
        case .incomplete: return false
        case .bad(let bad):
            record(.badRequest(reason: bad.reason))
            say(HTTPProxyReader.answer(bad.status, bad.reason, keeps: false))
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
        case .reply(let bytes): say(bytes)
        case .refused(let bytes, _, let reason):
            record(.badRequest(reason: reason))
            say(bytes)
            refuse()
        case .bad(let reason):
            record(.badRequest(reason: reason))
            refuse()
        case .request(let request): begin(request, now, &state)
        }
        return true
    }

    private mutating func begin(_ asked: ProxyRequest, _ now: Int64, _ state: inout ProxyState) {
        let count = state.countRequest()
        request = (count, asked)
        record(.request(count, form: asked.form, target: asked.target.text, headers: asked.headers))
        if !strike(at: .request, now, &state, thenGoingOnWith: .request) { admit(&state) }
    }

    /// Lets the request through, or asks for credentials.
    private mutating func admit(_ state: inout ProxyState) {
        guard let (number, asked) = request else { return }
        if let (status, fields, reason) = state.refusal(of: asked) {
            record(.refused(request: number, reply: status))
            say(HTTPProxyReader.answer(status, reason, headers: fields, keeps: !asked.hasBody))
            if asked.hasBody { refuse() }
            return
        }
        phase = .dialing(asked)
        actions.append(.dial(asked.target))
    }

    private mutating func dialed(_ result: Result<ProxyConnection, ProxyDialError>, _ now: Int64, _ state: inout ProxyState) {
        guard case .dialing(let asked) = phase, let request else { return }
        switch result {
        case .failure(let error):
            switch asked.form {
            case .absolute, .connect: refuse(request.number, error.status, "\(error)", asked)
            case .socks5: refuse(request.number, Int(error.socksReply), "\(error)", asked)
            }
        case .success(let connection):
            record(
                .connected(
                    request: request.number, from: SocketText.of(connection.localAddress, connection.localPort),
                    to: SocketText.of(connection.remoteAddress, connection.remotePort)))
            let pace = up.pace
            up = ProxyFlow(stops: state.stops(.up, connection: number, request: request.number))
            down = ProxyFlow(stops: state.stops(.down, connection: number, request: request.number))
            (up.pace, down.pace) = (pace, pace)
            phase = .carrying
            switch asked.form {
            case .connect: say(HTTPProxyReader.established)
            case .socks5: say(SOCKSReader.succeeded(connection))
            case .absolute: actions.append(.write(.up, ByteBuffer(bytes: asked.preface)))
            }
            up.take(inbox)
            inbox = ByteBuffer()
            up.hasEnded = hasClientEnded
        }
    }

    private mutating func refuse(_ number: Int, _ code: Int, _ reason: String, _ asked: ProxyRequest) {
        record(.refused(request: number, reply: code))
        switch asked.form {
        case .absolute, .connect: say(HTTPProxyReader.answer(code, reason, keeps: false))
        case .socks5: say(SOCKSReader.reply(UInt8(clamping: code)))
        }
        refuse()
    }

    private mutating func refuse() {
        phase = .refused
        actions.append(.finish(.down))
    }

    private mutating func say(_ bytes: [UInt8]) { actions.append(.write(.down, ByteBuffer(bytes: bytes))) }

    // MARK: - Carrying

    private mutating func carry(_ direction: ProxyFault.Direction, _ now: Int64, _ state: inout ProxyState) {
        while case .carrying = phase, !isStalled {
            let next =
                switch direction {
                case .up: up.next(at: now)
                case .down: down.next(at: now)
                }
            switch next {
            case .nothing: return
            case .wait(let until):
                actions.append(.start(direction == .up ? .up : .down, at: until))
                return
            case .carry(let bytes): actions.append(.write(direction, bytes))
            case .stop(let bytes):
                if let request, state.holds(ProxyMark(direction: direction, bytes: bytes, request: request.number)) {
                    record(.carried(request: request.number, direction, bytes: bytes))
                    change(direction) { $0.hold() }
                    return
                }
                let effects = state.firing(at: .carried(direction, bytes), connection: number, request: request?.number)
                for effect in effects { play(effect, direction, bytes, now) }
            case .end:
                actions.append(.finish(direction))
                if let first = firstEnd { end(by: first) } else { firstEnd = direction == .up ? "client" : "target" }
            }
        }
    }

    private mutating func play(_ effect: ProxyFault.Effect, _ direction: ProxyFault.Direction, _ bytes: Int64, _ now: Int64) {
        guard !isOver else { return }
        record(.fault(point: "\(direction.rawValue) byte \(bytes)", effect: effect.words))
        switch effect {
        case .close: end(by: "proxy")
        case .reset: reset()
        case .stall: change(direction) { $0.isStalled = true }
        case .pause(let time): change(direction) { $0.pausedUntil = now + time.nanoseconds }
        case .throttle(let rate): change(direction) { $0.pace = Pace(rate, at: now) }
        case .refuse: break
        }
    }

    private mutating func change(_ direction: ProxyFault.Direction, _ body: (inout ProxyFlow) -> Void) {
        switch direction {
        case .up: body(&up)
        case .down: body(&down)
        }
    }

    /// True when a fault took over, for ever or for a while.
    private mutating func strike(
        at point: ProxyFault.Point, _ now: Int64, _ state: inout ProxyState, thenGoingOnWith work: Held
    ) -> Bool {
        var takesOver = false
        for effect in state.firing(at: point, connection: number, request: request?.number) where !isOver {
            record(.fault(point: point == .accept ? "accept" : "request", effect: effect.words))
            switch effect {
            case .refuse(let code):
                takesOver = true
                if let request { refuse(request.number, code, "The proxy was told to refuse.", request.asked) }
            case .close:
                takesOver = true
                end(by: "proxy")
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
                up.pace = Pace(rate, at: now)
                down.pace = Pace(rate, at: now)
            }
        }
        return takesOver
    }

    // MARK: - Ends

    private mutating func gone(_ direction: ProxyFault.Direction, isReset: Bool) {
        if isReset {
            record(.closed(by: "reset", up: up.carried, down: down.carried))
            phase = .over
            actions.append(direction == .up ? .reset(.up) : .reset(.down))
            return
        }
        switch direction {
        case .up: end(by: "client")
        case .down: change(.down) { $0.hasEnded = true }
        }
    }

    private mutating func end(by whom: String) {
        record(.closed(by: whom, up: up.carried, down: down.carried))
        phase = .over
        actions += [.close(.down), .close(.up)]
    }

    private mutating func reset() {
        record(.closed(by: "proxy", up: up.carried, down: down.carried))
        phase = .over
        actions += [.reset(.down), .reset(.up)]
    }

    private mutating func record(_ event: ProxyFact.Event) { actions.append(.record(event)) }
}

extension ProxyFault.Effect {
    /// As one would say it.
    var words: String {
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
