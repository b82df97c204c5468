import DNSMessages
import Glibc
import InternetAddresses
import NIOCore
import NIOPosix

/// One interface: its sockets for both families, and the machines that they serve. Lives on the node's event loop.
final class MulticastLink {
    /// RFC 6762 §3.
    static let port = 5_353
    private static let groups = ["224.0.0.251", "ff02::fb"]

    let name: String
    private let index: CInt
    private(set) var prefixes: [AddressPrefix]
    private let eventLoop: any EventLoop
    var responder: Responder
    var querier: Querier
    private var channels: [(channel: any Channel, group: NIOCore.SocketAddress)] = []
    private var isClosed = false
    private var timer: Scheduled<Void>?
    private let report: (Responder.Event) -> Void
    private let cacheChanged: () -> Void

    init(
        name: String, index: CInt, prefixes: [AddressPrefix], hostLabel: String, eventLoop: any EventLoop,
        report: @escaping (Responder.Event) -> Void, cacheChanged: @escaping () -> Void
    ) {
        (self.name, self.index, self.prefixes, self.eventLoop) = (name, index, prefixes, eventLoop)
        (self.report, self.cacheChanged) = (report, cacheChanged)
        responder = Responder(
            hostLabel: hostLabel, addresses: prefixes.map(\.address), seed: UInt64.random(in: 0 ... .max))
        querier = Querier(seed: UInt64.random(in: 0 ... .max))
    }

    static func now() -> Nanoseconds { Nanoseconds(clamping: NIODeadline.now().uptimeNanoseconds) }

    func open() {
        for group in Self.groups {
            let isV6 = group.contains(":")
            guard prefixes.contains(where: { $0.address.isV6 == isV6 }),
                let address = try? NIOCore.SocketAddress(ipAddress: group, port: Self.port)
            else { continue }
            bind(isV6, address)
        }
    }

    /// Binds to the interface, so that a socket receives only from its link and sends only to it.
    private func bind(_ isV6: Bool, _ group: NIOCore.SocketAddress) {
        var options: [(level: CInt, name: CInt, value: CInt)] = [
            (SOL_SOCKET, SO_REUSEADDR, 1), (SOL_SOCKET, SO_REUSEPORT, 1),
            (SOL_SOCKET, 62 /* SO_BINDTOIFINDEX */, index),
        ]
        if isV6 {
            let level = CInt(IPPROTO_IPV6)
            options += [(level, IPV6_V6ONLY, 1), (level, IPV6_MULTICAST_HOPS, 255), (level, IPV6_UNICAST_HOPS, 255)]
        } else {
            let level = CInt(IPPROTO_IP)
            options += [(level, IP_MULTICAST_TTL, 255), (level, IP_TTL, 255)]
        }
        var bootstrap = DatagramBootstrap(group: eventLoop)
        for option in options {
            let name = ChannelOptions.Types.SocketOption(
                level: NIOBSDSocket.OptionLevel(rawValue: option.level),
                name: NIOBSDSocket.Option(rawValue: option.name))
            bootstrap = bootstrap.channelOption(name, value: Int(option.value))
        }
        let way = NIOLoopBound(self, eventLoop: eventLoop)
        bootstrap.channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(MulticastHandler(way.value))
            }
        }
        .bind(host: isV6 ? "::" : "0.0.0.0", port: Self.port)
        .assumeIsolated().whenSuccess { [weak self] channel in self?.bound(channel, group) }
    }

    private func bound(_ channel: any Channel, _ group: NIOCore.SocketAddress) {
        guard !isClosed else { return channel.close(promise: nil) }
        let device = try? System.enumerateDevices().first {
            $0.name == name && $0.address?.protocol == group.protocol
        }
        guard let device, let multicast = channel as? any MulticastChannel else { return channel.close(promise: nil) }
        multicast.joinGroup(group, device: device).assumeIsolated().whenComplete { [weak self] result in
            guard let self, !isClosed, case .success = result else { return channel.close(promise: nil) }
            channels.append((channel, group))
            schedule()
        }
    }

    func close() {
        isClosed = true
        timer?.cancel()
        for open in channels { open.channel.close(promise: nil) }
        channels = []
    }

    /// Takes over the interface's new addresses of the same families.
    func update(_ prefixes: [AddressPrefix]) {
        self.prefixes = prefixes
        responder.setAddresses(prefixes.map(\.address), at: Self.now())
        schedule()
    }

    // MARK: Messages

    func received(_ datagram: AddressedEnvelope<ByteBuffer>, on channel: any Channel) {
        guard let message = try? DNSMessage(parsing: Array(datagram.data.readableBytesView)),
            isOnLink(datagram.remoteAddress)
        else { return }
        let (now, isLegacy) = (Self.now(), datagram.remoteAddress.port != Self.port)
        let output = responder.received(message, isLegacy: isLegacy, at: now)
        for message in output.unicast {
            let data = ByteBuffer(bytes: message.encoded(limit: 8_952))
            channel.writeAndFlush(AddressedEnvelope(remoteAddress: datagram.remoteAddress, data: data), promise: nil)
        }
        perform(output)
        let hasChanged = !isLegacy && querier.received(message, at: now)
        schedule()
        if hasChanged { cacheChanged() }
    }

    /// Other senders could be anywhere (RFC 6762 §11).
    private func isOnLink(_ source: NIOCore.SocketAddress) -> Bool {
        guard let text = source.ipAddress?.split(separator: "%").first, let address = IPAddress(text) else {
            return false
        }
        return address.isLinkLocal
            || prefixes.contains { AddressPrefix(address, length: $0.length)?.network == $0.network }
    }

    func perform(_ output: Responder.Output) {
        for message in output.multicast { send(message) }
        for event in output.events { report(event) }
    }

    private func send(_ message: DNSMessage) {
        // The longest datagram of §17.
        let data = ByteBuffer(bytes: message.encoded(limit: 8_952))
        for (channel, group) in channels {
            channel.writeAndFlush(AddressedEnvelope(remoteAddress: group, data: data), promise: nil)
        }
    }

    // MARK: Time

    /// Sets the timer for the machines' next step. Without a socket nothing is due: a probe that was not sent proves
    /// nothing.
    func schedule() {
        timer?.cancel()
        timer = nil
        guard !channels.isEmpty, let due = [responder.deadline, querier.deadline].compactMap({ $0 }).min() else {
            return
        }
        timer = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(max(0, due - Self.now()))) { [weak self] in
            self?.tick()
        }
    }

    private func tick() {
        let now = Self.now()
        perform(responder.tick(at: now))
        let (queries, hasChanged) = querier.tick(at: now)
        for query in queries { send(query) }
        schedule()
        if hasChanged { cacheChanged() }
    }
}

/// Passes datagrams to their link.
private final class MulticastHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private weak var link: MulticastLink?

    init(_ link: MulticastLink) { self.link = link }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        link?.received(unwrapInboundIn(data), on: context.channel)
    }

    /// An ICMP error of one datagram does not end the socket.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
