import NIOCore
import Scenario
import Synchronization

/// What all sockets of one name server share: the service as its rules stand, and the open connections.
final class DNSServerContext: Sendable {
    /// Connections at the same time; one more is closed at once.
    static let maximumConnections = 64
    /// Answers that wait for their delay, per socket or connection; a query beyond that is lost, as with a flooded server.
    static let maximumPending = 1024
    /// The longest query that is read; real ones stay far below.
    static let maximumQuery = 4096
    /// RFC 7766 §6.2.3: an idle connection may be closed after some seconds.
    static let idleTime = TimeAmount.seconds(30)

    private struct Connections {
        var open: [ObjectIdentifier: any Channel] = [:]
        var isEnding = false
    }
    private let service: Mutex<DNSService>
    private let connections = Mutex(Connections())
    private let datagrams = Mutex<[any Channel]>([])
    private let record: @Sendable (DNSFact) -> Void

    init(_ service: DNSService, record: @escaping @Sendable (DNSFact) -> Void) {
        self.service = Mutex(service)
        self.record = record
    }

    /// The record hears of the query outside the lock: what it triggers may change a rule. `canReplyFromElsewhere` is false at a
    /// server with a single address.
    func reply(
        to query: ByteBuffer, from client: SocketAddress?, over transport: DNSService.Transport,
        at server: SocketAddress?,
        canReplyFromElsewhere: Bool = false
    ) -> DNSService.Decision {
        let client = client?.ipAddress ?? "?"
        let bytes = Array(query.readableBytesView)
        var reply = service.withLock { $0.reply(to: bytes, from: client, over: transport, at: server?.ipAddress) }
        if case .fromElsewhere = reply.decision, !canReplyFromElsewhere {
            reply.fact.reply += ": not sent, there is no other address"
            reply.decision = .silent
        }
        record(reply.fact)
        return reply.decision
    }

    /// Where answers from another address than the asked one leave.
    func add(datagrams channel: any Channel) { datagrams.withLock { $0.append(channel) } }

    func otherSocket(than channel: any Channel) -> (any Channel)? {
        datagrams.withLock { sockets in
            sockets.first {
                $0 !== channel && $0.localAddress?.protocol == channel.localAddress?.protocol
                    && $0.localAddress != channel.localAddress
            }
        }
    }

    func change(_ rule: DNSRule) throws(DNSServiceError) {
        try service.withLock { (service) throws(DNSServiceError) in try service.change(rule) }
    }

    /// Whether one more connection may stay.
    func admit(_ channel: any Channel) -> Bool {
        connections.withLock { connections in
            guard !connections.isEnding, connections.open.count < DNSServerContext.maximumConnections else {
                return false
            }
            connections.open[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    func leave(_ channel: any Channel) {
        connections.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// Admits no more; the open ones are for the caller to close.
    func endAllConnections() -> [any Channel] {
        connections.withLock { connections in
            connections.isEnding = true
            return Array(connections.open.values)
        }
    }
}
