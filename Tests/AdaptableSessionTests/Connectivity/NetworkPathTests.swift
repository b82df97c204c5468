import InternetAddresses
import NetworkMonitor
import Testing

@testable import AdaptableSession

/// One Wi-Fi, one cellular and one loopback interface, with one property missing at a time.
@Suite struct NetworkPathTests {
    private static func interface(
        _ index: CInt, _ name: String, metric: UInt32, traits: PathTraits = [], running: Bool = true,
        address: String? = "192.0.2.2",
        routes: [String] = ["0.0.0.0/0"]
    ) -> NetworkInterface {
        NetworkInterface(
            index: index, name: name, kind: InterfaceKind(name: name) ?? .other, traits: traits, isRunning: running,
            addresses: [address].compactMap { $0.flatMap { IPAddress($0) } },
            routes: routes.compactMap { AddressPrefix($0) }.map { NetworkInterface.Route(to: $0, metric: metric) })
    }

    private static let lo = interface(1, "lo", metric: 0, address: "127.0.0.1", routes: [])
    private static let wifi = interface(2, "wlan0", metric: 600)
    private static let cellular = interface(
        3, "wwan0", metric: 700, traits: [.cellular, .expensive], address: "198.51.100.2")

    private func address(_ text: String) -> IPAddress {
        guard let address = IPAddress(text) else { preconditionFailure("\(text) is not an address") }
        return address
    }

    private func state(_ interfaces: NetworkInterface...) -> NetworkState { NetworkState([Self.lo] + interfaces) }

    @Test func `the best interface comes first, and sockets are bound only if an interface is forbidden`() {
        let path = state(Self.cellular, Self.wifi).path()
        #expect(path.interfaces.map(\.name) == ["wlan0", "wwan0"])
        #expect(path.isOpen)
        #expect(!path.needsBinding)
    }

    @Test func `without a carrier, an address or a route the network is missing`() {
        var policy = PathPolicy()
        policy.needsRoute = false
        let near = Self.interface(2, "wlan0", metric: 1, routes: ["192.0.2.0/24"])
        #expect(state(near).path().obstacle == .noNetwork)
        #expect(state(near).path(policy: policy).isOpen)
        for interface in [
            Self.interface(2, "wlan0", metric: 1, running: false), Self.interface(2, "wlan0", metric: 1, address: nil),
        ] {
            #expect(state(interface).path().obstacle == .noNetwork)
            #expect(state(interface).path(policy: policy).obstacle == .noNetwork)
        }
        #expect(state().path().obstacle == .noNetwork)
    }

    @Test func `a forbidden interface is not a path, and the reason is reported`() {
        #expect(state(Self.cellular).path(forbidding: .cellular).obstacle == .forbidden(.cellular))
        #expect(state(Self.cellular).path(forbidding: [.expensive, .constrained]).obstacle == .forbidden(.expensive))
        #expect(state(Self.cellular).path(forbidding: .constrained).isOpen)
        var policy = PathPolicy()
        policy.honoursForbidden = false
        #expect(state(Self.cellular).path(forbidding: .cellular, policy: policy).isOpen)
    }

    @Test func `with a forbidden interface present sockets are bound to the allowed one`() {
        let path = state(Self.cellular, Self.wifi).path(forbidding: .cellular)
        #expect(path.interfaces.map(\.name) == ["wlan0"])
        #expect(path.needsBinding)
        // Also if it does not have a route at this moment.
        let silent = Self.interface(3, "wwan0", metric: 1, traits: .cellular, routes: [])
        #expect(state(silent, Self.wifi).path(forbidding: .cellular).needsBinding)
        var policy = PathPolicy()
        policy.bindsToAllowedInterface = false
        #expect(!state(Self.cellular, Self.wifi).path(forbidding: .cellular, policy: policy).needsBinding)
    }

    @Test func `an address needs only a route to itself, and a local address needs none`() {
        let local = state(Self.interface(2, "wlan0", metric: 1, routes: ["192.0.2.0/24"]))
        #expect(local.path(to: address("192.0.2.9")).isOpen)
        #expect(!local.path(to: address("203.0.113.9")).isOpen)
        #expect(!local.path(to: address("2001:db8::9")).isOpen)
        #expect(state().path(to: address("127.0.0.9"), forbidding: .cellular).isOpen)
        #expect(state().path(to: .loopbackV6).isOpen)
    }

    @Test func `a more specific route is preferred to a better metric`() {
        let tunnel = Self.interface(9, "tun0", metric: 900, address: "10.0.0.2", routes: ["203.0.113.0/24"])
        let path = state(Self.wifi, tunnel).path(to: address("203.0.113.7"))
        #expect(path.interfaces.map(\.name) == ["tun0", "wlan0"])
    }
}
