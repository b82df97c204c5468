import InternetAddresses
import NIOCore
import NIOHTTP1
import OpenSSLTLS

/// The creation of one connection: transport, TLS, HTTP.
final class ConnectAttempt {
    private let id: ConnectionID
    let demand: ConnectionDemand
    let connector: Connector
    private var done: ((Result<Connection, TransportFailure>) -> Void)?
    private var dialer: Dialer?
    private var channel: (any Channel)?
    /// The interface that `channel` uses, if it is known.
    private var interface: NetworkInterface?
    private var times = ConnectionTimes()
    /// Returns the demand that currently needs the connection; nil if there is none at this moment.
    let requester: () -> ConnectionDemand?
    /// True if the interface of the attempt went away.
    private var isStranded = false
    /// True after the challenge was passed to the demand that started the attempt although another connection served
    /// it; that happens only once.
    var isFirstRequesterGone = false

    init(
        id: ConnectionID, demand: ConnectionDemand, connector: Connector, requester: @escaping () -> ConnectionDemand?,
        done: @escaping (Result<Connection, TransportFailure>) -> Void
    ) {
        self.id = id
        self.demand = demand
        self.connector = connector
        self.requester = requester
        self.done = done
    }

    private var host: String { demand.route.tunnel?.host ?? demand.host }

    func start() {
        let port = demand.route.tunnel?.port ?? demand.key.port
        let dialer = connector.dialer(host, port: port, forbidding: demand.forbids) { [self] result in
            self.dialer = nil
            switch result {
            case .success(let connected): transported(connected)
            case .failure(let failure): finish(.failure(TransportFailure(failure)))
            }
        }
        self.dialer = dialer
        dialer.start()
    }

    /// Handles a change of the network; `lost` are the interfaces that went away or changed their address.
    ///
    /// An attempt over one of these restarts as soon as there is a path. If tasks wait for connectivity, it fails
    /// immediately, so that they wait.
    func networkChanged(lost: Set<String>) {
        guard isNeeded, connector.settings.policies.connect.restartsOnInterfaceLoss else { return }
        if let dialer {
            isStranded = isStranded || dialer.leads(by: lost)
        } else if let interface {
            isStranded = isStranded || lost.contains(interface.name)
        }
        guard isStranded else { return }
        let path = connector.network.path(to: host, forbidding: demand.forbids, since: MonotonicTime.now())
        guard path.isOpen || connector.settings.waitsForConnectivity else { return }
        isStranded = false
        dialer?.cancel()
        dialer = nil
        // The result of the old channel is ignored from here on.
        let old = channel
        channel = nil
        old?.close(promise: nil)
        times = ConnectionTimes()
        guard path.isOpen else {
            return finish(.failure(.noNetwork("the interface used to connect to \(host) went away")))
        }
        start()
    }

    private func isCurrent(_ channel: any Channel) -> Bool { self.channel === channel }

    var isNeeded: Bool { done != nil }

    /// Cancels the attempt when it is not needed any more.
    func cancel() {
        done = nil
        dialer?.cancel()
        dialer = nil
        channel?.close(promise: nil)
    }

    private func transported(_ connected: Dialer.Connected) {
        let channel = connected.channel
        guard done != nil else { return channel.close(promise: nil) }
        self.channel = channel
        interface = channel.localAddress?.ipAddress.flatMap { IPAddress($0) }
            .flatMap { connector.network.state?.interface(withAddress: $0) }
        SocketSettings.apply(to: channel)
        times.lookupStart = connected.lookup?.start
        times.lookupEnd = connected.lookup?.end
        times.connectStart = connected.connect.start
        times.connectEnd = connected.connect.end
        guard let proxy = demand.route.tunnel else { return startTLS(channel) }
        TunnelOpening(
            proxy: proxy, host: demand.host, port: demand.key.port, fields: demand.tunnelFields,
            contexts: connector.contexts
        ).open(on: channel) { [self] result in
            guard isCurrent(channel) else { return }
            switch result {
            case .success: startTLS(channel)
            case .failure(let error): fail(error)
            }
        }
    }

    /// Starts TLS with the origin, or with a proxy that forwards.
    private func startTLS(_ channel: any Channel) {
        do {
            guard demand.key.isSecure else { return try http1(channel, tls: nil) }
            times.secureStart = MonotonicTime.now()
            let context = try connector.contexts.context(alpn: protocols, asks: demand.questions != nil)
            let handshake = HandshakeHandler(demand.questions == nil ? nil : handshakeDelegate) { [self] result in
                guard isCurrent(channel) else { return }
                times.secureEnd = MonotonicTime.now()
                switch result {
                case .success(let info): agreed(channel, info)
                case .failure(let failure): finish(.failure(failure))
                }
            }
            try channel.pipeline.syncOperations.addHandlers(
                TLSClientHandler(context: context, serverName: demand.host), handshake)
        } catch {
            fail(error)
        }
    }

    /// The protocols to offer in ALPN; requests to a forwarding proxy use HTTP/1.1.
    private var protocols: [String] {
        let isHTTP2Offered =
            connector.settings.policies.http2.isOffered && !demand.route.isForward && !demand.isHTTP1Only
        return isHTTP2Offered ? ["h2", "http/1.1"] : ["http/1.1"]
    }

    private func agreed(_ channel: any Channel, _ info: TLSInfo) {
        do {
            if info.alpn != "h2", protocols.contains("h2"), !connector.settings.policies.http2.fallsBack {
                throw TransportFailure.cannotConnect(FailureReason("the server does not choose h2"))
            }
            if info.alpn == "h2" { try http2(channel, info) } else { try http1(channel, tls: info) }
        } catch {
            fail(error)
        }
    }

    private func http1(_ channel: any Channel, tls: TLSInfo?) throws {
        let counter = ByteCounter()
        let handler = ExchangeHandler(counter: counter)
        var framing = HTTPRequestEncoder.Configuration()
        // The request head defines how the body is framed; a GET may have one too (UPLD-15).
        framing.automaticallySetFramingHeaders = false
        let decoder = ResponseDecoder(counter: counter)
        handler.endsCleanly = { decoder.end() }
        try channel.pipeline.syncOperations.addHandlers(
            counter, HTTPRequestEncoder(configuration: framing), decoder, NIOHTTPRequestHeadersValidator(), handler)
        made(channel, tls: tls, .http1(handler))
    }

    private func http2(_ channel: any Channel, _ tls: TLSInfo) throws {
        let relay = HTTP2EventRelay()
        let policies = connector.settings.policies
        let connection = try HTTP2Connection(
            on: channel, isSecure: true, policy: policies.http2
        ) {
            relay.receive($0)
        }
        made(channel, tls: tls, .http2(connection, relay))
    }

    private func made(_ channel: any Channel, tls: TLSInfo?, _ wire: Connection.Wire) {
        if let old = try? channel.pipeline.syncOperations.handler(type: HandshakeHandler.self) {
            channel.pipeline.syncOperations.removeHandler(old, promise: nil)
        }
        finish(
            .success(
                Connection(
                    id: id, key: demand.key, channel: channel, tls: tls, interface: interface, wire: wire, times: times)
            ))
    }

    private func fail(_ error: any Error) {
        channel?.close(promise: nil)
        switch error {
        case let failure as TransportFailure: finish(.failure(failure))
        case let error as TLSError: finish(.failure(.tls(error)))
        default: finish(.failure(.cannotConnect(FailureReason("the connection could not be prepared", error))))
        }
    }

    private func finish(_ result: Result<Connection, TransportFailure>) {
        let notify = done
        done = nil
        notify?(result)
    }
}
