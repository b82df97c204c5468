import NIOCore
import Record
import ScenarioLanguage
import Synchronization

/// The state that all sockets of one name server share: the service with its present rules, and the open connections.
final class DNSServerContext: Sendable {
    /// The maximum number of connections at the same time; one more is closed immediately.
    static let maximumConnections = 64
    /// The maximum number of delayed replies per socket or connection; a query beyond that is lost, like on an
    /// overloaded server.
    static let maximumPending = 1024
    /// The maximum length of a query; real ones are far shorter.
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

    /// Decides and records the reply to a query. It is recorded outside the lock: a trigger on it may change a rule.
    /// `canReplyFromElsewhere` is false at a server with a single address.
    func reply(
        to query: ByteBuffer, from client: SocketAddress?, over transport: DNSService.Transport,
        at server: SocketAddress?,
        canReplyFromElsewhere: Bool = false
    ) -> DNSService.Decision {
        let client = client?.ipAddress ?? "?"
        let bytes = Array(query.readableBytesView)
        var reply = service.withLock { $0.reply(to: bytes, from: client, over: transport, at: server?.ipAddress) }
        if case .fromElsewhere = reply.decision, !canReplyFromElsewhere {
            reply.fact.reply += ": not sent, because the server has only one address"
            reply.fact.failure = .silent
            reply.decision = .silent
        }
        record(reply.fact)
        return reply.decision
    }

    /// Registers a socket that can send replies from another address than the queried one.
    func add(datagrams channel: any Channel) { datagrams.withLock { $0.append(channel) } }

    func otherSocket(than channel: any Channel) -> (any Channel)? {
        datagrams.withLock { sockets in
            sockets.first {
                $0 !== channel && $0.localAddress?.protocol == channel.localAddress?.protocol
                    && $0.localAddress != channel.localAddress
            }
        }
    }

    func edit(_ body: (inout DNSService) throws(DNSServiceError) -> Void) throws(DNSServiceError) {
        try service.withLock { (service) throws(DNSServiceError) in try body(&service) }
    }

    /// Returns true if one more connection may stay open.
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

    /// Admits no more connections; returns the open ones for the caller to close.
    func endAllConnections() -> [any Channel] {
        connections.withLock { connections in
            connections.isEnding = true
            return Array(connections.open.values)
        }
    }
}
