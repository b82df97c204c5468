import InternetAddresses

/// The port of the pool bound to each IPv6 endpoint, and the sessions that keep each binding alive (RFC 6146 §3.1,
/// §3.2).
///
/// The mapping does not depend on the peer; the translator decides which peers may use it (RFC 6146 §3.5).
struct BindingTable: Sendable {
    enum Kind: UInt8, Hashable, Sendable { case tcp, udp, icmp }

    struct Endpoint: Hashable, Sendable {
        var address: IPv6Address
        /// Port, or ICMP identifier.
        var port: UInt16
    }

    struct Peer: Hashable, Sendable {
        var address: IPv4Address
        var port: UInt16
    }

    private struct Inside: Hashable, Sendable {
        var kind: Kind
        var endpoint: Endpoint
    }
    private struct Outside: Hashable, Sendable {
        var kind: Kind
        var port: UInt16
    }
    private struct Binding: Sendable {
        var owner: Endpoint
        var sessions: Int
    }
    private struct SessionKey: Hashable, Sendable {
        var outside: Outside
        var peer: Peer
        var ofAddress: SessionKey { SessionKey(outside: outside, peer: Peer(address: peer.address, port: 0)) }
    }
    private struct Session: Sendable {
        var expires: LinkTime
        var tcp: TCPSessionState?
    }

    private let ports: ClosedRange<UInt16>
    private let timeouts: NAT64Configuration.Timeouts
    private var portOf: [Inside: UInt16] = [:]
    private var bindings: [Outside: Binding] = [:]
    private var sessions: [SessionKey: Session] = [:]
    /// The number of sessions between a port and an address; with at least one, that address may send to the port.
    private var known: [SessionKey: Int] = [:]
    private var bound: [Kind: Int] = [:]
    private var cursor: UInt16
    /// The earliest time at which a session ends.
    private var nextExpiry = LinkTime.distantFuture

    init(ports: ClosedRange<UInt16>, timeouts: NAT64Configuration.Timeouts) {
        self.ports = ports
        self.timeouts = timeouts
        cursor = ports.lowerBound
    }

    var bindingCount: Int { bindings.count }
    var sessionCount: Int { sessions.count }

    func port(of endpoint: Endpoint, _ kind: Kind) -> UInt16? { portOf[Inside(kind: kind, endpoint: endpoint)] }
    func owner(of port: UInt16, _ kind: Kind) -> Endpoint? { bindings[Outside(kind: kind, port: port)]?.owner }

    func hasSession(_ port: UInt16, _ peer: IPv4Address, _ kind: Kind) -> Bool {
        known[SessionKey(outside: Outside(kind: kind, port: port), peer: Peer(address: peer, port: 0))] != nil
    }

    /// Removes expired sessions; called before each packet.
    mutating func expire(at now: LinkTime) {
        guard now >= nextExpiry else { return }
        nextExpiry = .distantFuture
        for (key, session) in sessions {
            if session.expires > now {
                nextExpiry = min(nextExpiry, session.expires)
            } else {
                sessions[key] = nil
                release(key)
            }
        }
    }

    /// Returns the port of an endpoint, binding one if necessary; nil if all are taken.
    mutating func bind(_ endpoint: Endpoint, _ kind: Kind) -> UInt16? {
        let inside = Inside(kind: kind, endpoint: endpoint)
        if let port = portOf[inside] { return port }
        guard bound[kind, default: 0] < ports.count, let port = freePort(like: endpoint.port, kind) else { return nil }
        portOf[inside] = port
        bindings[Outside(kind: kind, port: port)] = Binding(owner: endpoint, sessions: 0)
        bound[kind, default: 0] += 1
        return port
    }

    /// Records a packet of a UDP or ICMP session.
    mutating func touch(_ port: UInt16, _ peer: Peer, _ kind: Kind, at now: LinkTime) {
        let lifetime = kind == .icmp ? timeouts.icmp : timeouts.udp
        store(Session(expires: now + lifetime), SessionKey(outside: Outside(kind: kind, port: port), peer: peer))
    }

    /// Records a TCP segment. A segment that opens nothing and belongs to no session passes without creating one (RFC
    /// 6146 §3.5.2.2, state CLOSED).
    mutating func touchTCP(
        _ port: UInt16, _ peer: Peer, _ flags: TCPHeader.Flags, from side: IPVersion, at now: LinkTime
    ) {
        let key = SessionKey(outside: Outside(kind: .tcp, port: port), peer: peer)
        guard var session = sessions[key], var state = session.tcp else {
            guard flags.contains(.syn) else { return }
            store(Session(expires: now + timeouts.tcpTransitory, tcp: .opened(by: side)), key)
            return
        }
        switch state.handle(flags, from: side) {
        case .established: session.expires = now + timeouts.tcpEstablished
        case .transitory: session.expires = now + timeouts.tcpTransitory
        case .unchanged: break
        }
        session.tcp = state
        store(session, key)
    }

    private mutating func store(_ session: Session, _ key: SessionKey) {
        if sessions.updateValue(session, forKey: key) == nil {
            bindings[key.outside]?.sessions += 1
            known[key.ofAddress, default: 0] += 1
        }
        nextExpiry = min(nextExpiry, session.expires)
    }

    private mutating func release(_ key: SessionKey) {
        let left = known[key.ofAddress, default: 1] - 1
        known[key.ofAddress] = left > 0 ? left : nil
        let outside = key.outside
        guard var binding = bindings[outside] else { return }
        binding.sessions -= 1
        if binding.sessions > 0 {
            bindings[outside] = binding
        } else {
            bindings[outside] = nil
            portOf[Inside(kind: outside.kind, endpoint: binding.owner)] = nil
            bound[outside.kind, default: 1] -= 1
        }
    }

    /// Returns the same number if it is free, so that captures of both sides are easy to compare; otherwise the next
    /// one of the same parity, as RTP requires (RFC 6146 §3.5.1.1), otherwise the next one.
    private mutating func freePort(like wanted: UInt16, _ kind: Kind) -> UInt16? {
        func isFree(_ port: UInt16) -> Bool { bindings[Outside(kind: kind, port: port)] == nil }
        if ports.contains(wanted), isFree(wanted) { return wanted }
        for mustMatch in [true, false] {
            var port = cursor
            for _ in 0..<ports.count {
                let isCandidate = !mustMatch || port % 2 == wanted % 2
                let next = port == ports.upperBound ? ports.lowerBound : port + 1
                if isCandidate, isFree(port) {
                    cursor = next
                    return port
                }
                port = next
            }
        }
        return nil
    }
}
