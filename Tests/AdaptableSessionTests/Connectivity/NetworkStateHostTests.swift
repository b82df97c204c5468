import InternetAddresses
import NetworkMonitor
import Testing

@testable import AdaptableSession

@Suite struct NetworkStateHostTests {
    private let offline = NetworkState([
        NetworkInterface(index: 1, name: "lo", kind: .loopback, addresses: [.loopbackV4], routes: [])
    ])
    private let onlyV6 = NetworkState([
        NetworkInterface(
            index: 2, name: "wlan0", kind: .wifi, addresses: [.v6(high: 1, low: 2)],
            routes: [NetworkInterface.Route(to: .allV6)])
    ])

    private func path(_ state: NetworkState, _ host: String) -> NetworkPath {
        state.path(
            toHost: host, hosts: { HostsFile("# mine\n127.0.0.1 app.test App2.test # here\n192.0.2.1\tfar.test\n") })
    }

    @Test(arguments: ["127.0.0.1", "::1", "localhost", "a.localhost", "app.test", "APP2.test"])
    func `local names and addresses are reachable without a network`(_ host: String) {
        #expect(path(offline, host).isOpen)
    }

    @Test(arguments: ["192.0.2.1", "api.test", "far.test", "2001:db8::1"])
    func `other names and addresses are not reachable without a network`(_ host: String) {
        #expect(path(offline, host).obstacle == .noNetwork)
    }

    /// As between containers whose network does not have a default route.
    @Test func `a name in the hosts file needs only a route to its address`() {
        let inner = NetworkState([
            NetworkInterface(
                index: 2, name: "eth0", kind: .wired, addresses: [.v4(0xC000_0202)],
                routes: [NetworkInterface.Route(to: AddressPrefix(.v4(0xC000_0200), length: 24)!)])
        ])
        #expect(path(inner, "far.test").isOpen)
        #expect(path(inner, "api.test").obstacle == .noNetwork)
    }

    @Test func `an IPv4 literal has a path if NAT64 may exist`() { #expect(path(onlyV6, "192.0.2.1").isOpen) }
}
