import InternetAddresses
import NIOCore
import NIOPosix

/// Performs one `HappyEyeballs` on an event loop: looks up names, connects, and closes the connections that lost.
///
/// Create, start and cancel it on its loop. `done` is called there once, unless `cancel` comes first.
final class Dialer {
    struct Connected {
        let channel: any Channel
        let address: IPAddress
        /// The times of the first query and of the last reply before the first attempt; nil for a literal.
        let lookup: (start: Int64, end: Int64)?
        /// The times of the attempt that won.
        let connect: (start: Int64, end: Int64)
    }

    struct Failure: Error, CustomStringConvertible {
        let reason: HappyEyeballs.Failure
        let host: String
        /// The errors of the attempts, in the order in which they failed.
        let errors: [any Error]

        var description: String {
            switch reason {
            case .noSuchName: "the host name \(host) does not exist"
            case .unanswered: "no name server replied to the query for \(host)"
            case .unreachable: "no interface that this request may use has a route to \(host)"
            case .refused:
                "no connection to \(host): " + errors.map(ErrorDescription.description).joined(separator: "; ")
            }
        }
    }

    private let eventLoop: any EventLoop
    private let resolver: NameResolver
    private let host: String
    private let port: Int
    private let asking: DNSQueryRoute
    private var happyEyeballs: HappyEyeballs
    private var done: ((Result<Connected, Failure>) -> Void)?
    private var channels: [Int: any Channel] = [:]
    private var starts: [Int: Int64] = [:]
    private var timer: Scheduled<Void>?
    private var errors: [any Error] = []
    private var lookupStart: Int64?
    private var lookupEnd: Int64?

    /// `host` is a name, or an address without brackets.
    init(
        host: String, port: Int, path: NetworkPath, policy: ConnectPolicy, resolver: NameResolver,
        on eventLoop: any EventLoop,
        done: @escaping (Result<Connected, Failure>) -> Void
    ) {
        self.eventLoop = eventLoop
        self.resolver = resolver
        self.host = host
        self.port = port
        asking = DNSQueryRoute(path, policy: policy)
        happyEyeballs = HappyEyeballs(host: host, path: path, policy: policy)
        self.done = done
    }

    func start() { perform(happyEyeballs.start(at: Dialer.now)) }

    func cancel() {
        done = nil
        perform(happyEyeballs.cancel())
    }

    func leads(by names: Set<String>) -> Bool { happyEyeballs.leads(by: names) }

    private static var now: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    private func perform(_ actions: [HappyEyeballs.Action]) {
        for action in actions {
            switch action {
            case .lookUp(let name, let v6): lookUp(name, v6)
            case .attempt(let attempt): connect(attempt)
            case .abandon(let attempt): channels.removeValue(forKey: attempt.number)?.close(promise: nil)
            case .won(let attempt): won(attempt)
            case .failed(let reason): finish(.failure(Failure(reason: reason, host: host, errors: errors)))
            }
        }
        timer?.cancel()
        timer = nil
        guard done != nil, let deadline = happyEyeballs.nextDeadline else { return }
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(max(0, deadline)))) {
            [self] in
            perform(happyEyeballs.timer(at: Dialer.now))
        }
    }

    private func lookUp(_ name: String, _ v6: Bool) {
        if lookupStart == nil { lookupStart = Dialer.now }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let loop = eventLoop
        resolver.resolve(name, v6: v6, by: asking) { answer in
            loop.execute { bound.value.resolved(name, v6, answer) }
        }
    }

    private func resolved(_ name: String, _ v6: Bool, _ answer: NameResolver.LookupResult) {
        if starts.isEmpty { lookupEnd = Dialer.now }
        perform(happyEyeballs.resolved(name: name, v6: v6, answer, now: Dialer.now))
    }

    private func connect(_ attempt: HappyEyeballs.Attempt) {
        starts[attempt.number] = Dialer.now
        let address: NIOCore.SocketAddress
        do {
            // NIO does not check the range of the port.
            guard PortNumber.all.contains(port) else { throw TransportFailure.unusable("\(port) is not a port number") }
            address = try NIOCore.SocketAddress(ipAddress: "\(attempt.address)", port: port)
        } catch {
            return failed(attempt, error)
        }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        // The request's own timers limit the attempt.
        var bootstrap = ClientBootstrap(group: eventLoop).connectTimeout(.hours(24 * 365)).channelOption(
            .autoRead, value: false
        )
        .channelInitializer { channel in
            bound.value.channels[attempt.number] = channel
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        if let interface = attempt.interface {
            // SO_BINDTOIFINDEX, which NIO does not define: from here on the socket cannot use a route of another
            // interface. Needs no privilege since Linux 5.7.
            bootstrap = bootstrap.channelOption(
                ChannelOptions.socketOption(NIOBSDSocket.Option(rawValue: 62)), value: Int(interface.index))
        }
        bootstrap.connect(to: address).assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let channel):
                channels[attempt.number] = channel
                perform(happyEyeballs.connected(attempt))
            case .failure(let error):
                channels[attempt.number] = nil
                failed(attempt, error)
            }
        }
    }

    private func failed(_ attempt: HappyEyeballs.Attempt, _ error: any Error) {
        errors.append(error)
        perform(happyEyeballs.attemptFailed(attempt, now: Dialer.now))
    }

    private func won(_ attempt: HappyEyeballs.Attempt) {
        guard let channel = channels.removeValue(forKey: attempt.number), let start = starts[attempt.number] else {
            return
        }
        var lookup: (start: Int64, end: Int64)?
        if let lookupStart, let lookupEnd { lookup = (lookupStart, lookupEnd) }
        finish(
            .success(
                Connected(channel: channel, address: attempt.address, lookup: lookup, connect: (start, Dialer.now))))
    }

    private func finish(_ result: Result<Connected, Failure>) {
        guard let notify = done else {
            if case .success(let connected) = result { connected.channel.close(promise: nil) }
            return
        }
        done = nil
        notify(result)
    }
}
