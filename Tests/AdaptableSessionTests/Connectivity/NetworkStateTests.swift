import AdaptableSession
import InternetAddresses
import LabKernel
import NetworkMonitor
import Testing

/// True if tests may create network namespaces on this machine.
enum Privilege {
    static let hasNamespaces = (try? NetworkNamespace.make()) != nil
}

@Suite(.enabled(if: Privilege.hasNamespaces, "needs CAP_SYS_ADMIN: run as root")) struct NetworkStateTests {
    /// A client namespace connected to another namespace by one cable.
    private func cable(_ name: String) throws -> (
        client: NetworkNamespace, netlink: NetlinkSocket, peer: NetworkNamespace, index: CInt
    ) {
        let client = try NetworkNamespace.make()
        let peer = try NetworkNamespace.make()
        let netlink = try NetlinkSocket(in: client)
        try netlink.makeVirtualEthernetPair(name: name, peerName: "far0", peerIn: peer)
        let far = try NetlinkSocket(in: peer)
        try far.setUp(try far.link(named: "far0").index)
        let index = try netlink.link(named: name).index
        try netlink.change(index, LinkChange(makesNoIPv6Addresses: true))
        return (client, netlink, peer, index)
    }

    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    @Test func `the kernel's lists become interfaces with kind, cost, addresses and routes`() throws {
        let (_, netlink, peer, index) = try cable("wwan0")
        try netlink.setUp(index)
        try netlink.waitUntilRunning(index, true)
        try netlink.addAddress(try #require(AddressPrefix("192.0.2.2/24")), to: index)
        try netlink.addRoute(
            Route(to: .allV4, .gateway(try address("192.0.2.1"), interface: index, onLink: false), metric: 700))
        var found = try #require(try NetworkState.read(netlink).interface(named: "wwan0"))
        #expect(found.kind == .cellular)
        #expect(found.traits == [.cellular, .expensive])
        #expect(found.isRunning)
        #expect(found.addresses == [try address("192.0.2.2")])
        #expect(found.defaultMetric(v6: false) == 700)
        #expect(found.defaultMetric(v6: true) == nil)
        try netlink.change(index, LinkChange(alias: "constrained"))
        found = try #require(try NetworkState.read(netlink).interface(named: "wwan0"))
        #expect(found.traits == [.cellular, .constrained])
        withExtendedLifetime(peer) {}
    }

    @Test func `a 464XLAT interface has the cost of its uplink`() throws {
        let (_, netlink, peer, index) = try cable("wwan0")
        try netlink.setUp(index)
        try netlink.waitUntilRunning(index, true)
        try netlink.addAddress(try #require(AddressPrefix("2001:db8::2/64")), to: index)
        try netlink.addRoute(Route(to: .allV6, .interface(index)))
        try netlink.makeVirtualEthernetPair(name: "v4-wwan0", peerName: "far1", peerIn: peer)
        let far = try NetlinkSocket(in: peer)
        try far.setUp(try far.link(named: "far1").index)
        let translator = try netlink.link(named: "v4-wwan0").index
        try netlink.setUp(translator)
        try netlink.waitUntilRunning(translator, true)
        try netlink.addAddress(try #require(AddressPrefix("192.0.0.1/32")), to: translator)
        try netlink.addRoute(Route(to: .allV4, .interface(translator)))
        let whole = try NetworkState.read(netlink)
        #expect(whole.interface(named: "v4-wwan0")?.traits == [.cellular, .expensive])
        #expect(whole.path(forbidding: .cellular).obstacle == .forbidden(.cellular))
    }
}
