import InternetAddresses
import NetworkMonitor
import Testing

@testable import AdaptableSession

/// Wi-Fi has IPv4 only, cellular has both families; the request must not use cellular.
@Suite struct DNSQueryRouteTests {
    private static let state = NetworkState([
        NetworkInterface(
            index: 3, name: "wlan0", kind: .wifi, addresses: [.v4(0xC000_0202)],
            routes: [NetworkInterface.Route(to: .allV4, metric: 600)]),
        NetworkInterface(
            index: 7, name: "wwan0", kind: .cellular, traits: .cellular,
            addresses: [.v4(0xC633_6402), .v6(high: 0x2001_0DB8 << 32, low: 2)],
            routes: [NetworkInterface.Route(to: .allV4, metric: 500), NetworkInterface.Route(to: .allV6, metric: 500)]),
    ])

    private static func server(_ text: String, zone: CInt = 0) throws -> NameServerSettings.Server {
        NameServerSettings.Server(SocketAddress(try #require(IPAddress(text)), port: 53), zone: zone)
    }

    @Test func `the system resolver is used unless an interface is forbidden`() {
        let path = Self.state.path(forbidding: .cellular)
        #expect(DNSQueryRoute(path, policy: ConnectPolicy()) == .interfaces(of: path))
        #expect(DNSQueryRoute(Self.state.path(), policy: ConnectPolicy()) == .system)
        var careless = ConnectPolicy()
        careless.queriesByAllowedInterface = false
        #expect(DNSQueryRoute(path, policy: careless) == .system)
    }

    @Test func `a server is queried over the allowed interface that has a route to it, or not at all`() throws {
        let path = Self.state.path(forbidding: .cellular)
        #expect(path.route(to: try Self.server("203.0.113.53")) == .interface("wlan0"))
        #expect(path.route(to: try Self.server("2001:db8:113::53")) == .none)
        #expect(path.route(to: try Self.server("127.0.0.53")) == .loopback)
        #expect(path.route(to: try Self.server("::1")) == .loopback)
        #expect(path.route(to: try Self.server("fe80::1", zone: 3)) == .interface("wlan0"))
        #expect(path.route(to: try Self.server("fe80::1", zone: 7)) == .none)
    }

    /// A name server is not reachable in this configuration, so any query would fail.
    @Test func `an IP address and a name in the hosts file need no server`() async {
        let asking = DNSQueryRoute.interfaces(of: Self.state.path(forbidding: .cellular))
        let resolver = NameResolver()
        for (name, v6, result) in [
            ("127.0.0.1", false, NameResolver.LookupResult.success([.loopbackV4])),
            ("::1", true, .success([.loopbackV6])),
            ("127.1", false, .success([.loopbackV4])), ("127.0.0.1", true, .failure(.noAddress)),
            ("localhost", false, .success([.loopbackV4])),
        ] {
            let got = await withCheckedContinuation { continuation in
                resolver.resolve(name, v6: v6, by: asking) { continuation.resume(returning: $0) }
            }
            #expect(got == result, "\(name)")
        }
    }
}
