import NIOCore
import OpenSSLTLS

/// Creates the connections of one session.
final class Connector {
    let settings: SessionSettings
    let network: NetworkView
    let eventLoop: any EventLoop
    let contexts: TLSContexts
    let resolver = NameResolver()

    init(settings: SessionSettings, network: NetworkView, eventLoop: any EventLoop) {
        self.settings = settings
        self.network = network
        self.eventLoop = eventLoop
        contexts = TLSContexts(
            versions: settings.policies.connect.keepsTLSVersions ? settings.tlsVersions : TLSVersionRange())
    }

    func attempt(
        _ id: ConnectionID, _ demand: ConnectionDemand, requester: @escaping () -> ConnectionDemand?,
        done: @escaping (Result<Connection, TransportFailure>) -> Void
    ) -> ConnectAttempt { ConnectAttempt(id: id, demand: demand, connector: self, requester: requester, done: done) }

    /// Starts Happy Eyeballs for a transport to `host`.
    func dialer(
        _ host: String, port: Int, forbidding traits: PathTraits,
        done: @escaping (Result<Dialer.Connected, Dialer.Failure>) -> Void
    ) -> Dialer {
        var policy = settings.policies.connect
        // Without the state of the network, reachability is unknown.
        if network.state == nil { policy.skipsUnreachable = false }
        return Dialer(
            host: host, port: port, path: network.path(to: host, forbidding: traits, since: MonotonicTime.now()),
            policy: policy, resolver: resolver,
            on: eventLoop, done: done)
    }
}
