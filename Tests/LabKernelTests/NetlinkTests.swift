import Glibc
import InternetAddresses
import LabKernel
import NetworkMonitor
import Testing

extension KernelTests {
    struct NetlinkTests {
        @Test func `a veth pair passes the first packet of both families immediately`() throws {
            // IPv6 that has to settle takes about a second; a packet on a settled link takes microseconds.
            let cable = try Cable()
            let deadline = MonotonicClock.deadline(after: milliseconds(500))
            for destination in [Cable.far4, Cable.far6] {
                let got = try cable.probe(destination).measure(.init(packets: 1), until: deadline)
                #expect(got.arrivals.map(\.packet) == [0])
                #expect(try #require(got.medianDelay) < milliseconds(50))
            }
        }

        @Test func `a link reports the state that was set`() throws {
            let cable = try Cable()
            let netlink = cable.nearNetlink
            try netlink.change(cable.nearIndex, LinkChange(mtu: 1400, queueLength: 77))
            let link = try netlink.link(named: "wlan0")
            #expect(link.mtu == 1400)
            #expect(link.queueLength == 77)
            #expect(link.isUp && link.hasCarrier)
            #expect(link.hardwareAddress.count == 6)
            try netlink.setDown(cable.nearIndex)
            #expect(!(try netlink.link(cable.nearIndex).isUp))
            #expect(!(try cable.farNetlink.link(cable.farIndex).hasCarrier))
            try netlink.change(cable.nearIndex, LinkChange(name: "wlan9"))
            #expect(try netlink.link(named: "wlan9").index == cable.nearIndex)
            try netlink.deleteLink(cable.nearIndex)
            #expect(throws: NetlinkError.noSuchInterface("wlan9")) { try netlink.link(named: "wlan9") }
            #expect(throws: NetlinkError.noSuchInterface("out0")) { try cable.farNetlink.link(named: "out0") }
        }

        @Test func `an end is ready only when the other one is up`() throws {
            let cable = try Cable()
            try cable.nearNetlink.makeVirtualEthernetPair(name: "eth0", peerName: "out1", peerIn: cable.far)
            let near = try cable.nearNetlink.link(named: "eth0").index
            let far = try cable.farNetlink.link(named: "out1").index
            try cable.nearNetlink.setUp(near)
            #expect(!(try cable.nearNetlink.waitUntilReady(near, until: MonotonicClock.deadline(after: 300_000))))
            try cable.farNetlink.setUp(far)
            let deadline = MonotonicClock.deadline(after: milliseconds(5_000))
            #expect(try cable.nearNetlink.waitUntilReady(near, until: deadline))
            #expect(try cable.nearNetlink.link(near).rootQdisc != "noop")
            // This veth pair has the kernel's link-local addresses, which take a second or two: the wait must ignore
            // them.
            let address = try #require(AddressPrefix("fd01::1/64"))
            try cable.nearNetlink.addAddress(address, to: near)
            let soon = MonotonicClock.deadline(after: milliseconds(500))
            #expect(try cable.nearNetlink.waitUntilReady(near, until: soon))
        }

        @Test func `a link counts its packets`() throws {
            let cable = try Cable()
            let before = try cable.farNetlink.link(cable.farIndex).statistics
            let got = try cable.probe().measure(
                .init(packets: 20, payloadBytes: 972), until: MonotonicClock.deadline(after: milliseconds(2_000)))
            let after = try cable.farNetlink.link(cable.farIndex).statistics
            #expect(got.lost == 0)
            #expect(after.received.packets >= before.received.packets + 20)
            #expect(after.received.bytes >= before.received.bytes + 20 * 1014)  // 972 + UDP 8 + IP 20 + Ethernet 14
            #expect(after.received.dropped == 0)
        }

        @Test func `addresses are added, listed and removed`() throws {
            let cable = try Cable()
            let netlink = cable.nearNetlink
            let extra = try #require(AddressPrefix("192.0.2.9/24"))
            try netlink.addAddress(extra, to: cable.nearIndex)
            let found = try netlink.addresses(of: cable.nearIndex)
            #expect(found.contains { $0.prefix == extra })
            #expect(found.contains { $0.prefix.description == "fd00::1/64" && !$0.isTentative })
            try netlink.removeAddress(extra, from: cable.nearIndex)
            #expect(!(try netlink.addresses(of: cable.nearIndex).contains { $0.prefix == extra }))
        }

        @Test func `an interface without link-local addresses gets none`() throws {
            let cable = try Cable()
            try cable.nearNetlink.makeVirtualEthernetPair(name: "eth0", peerName: "out1", peerIn: cable.far)
            let index = try cable.nearNetlink.link(named: "eth0").index
            try cable.nearNetlink.change(index, LinkChange(makesNoIPv6Addresses: true))
            try cable.nearNetlink.setUp(index)
            try cable.farNetlink.setUp(try cable.farNetlink.link(named: "out1").index)
            #expect(try cable.nearNetlink.addresses(of: index).isEmpty)
        }

        @Test(arguments: [
            (Route.Target.blackhole, EINVAL), (.unreachable, EHOSTUNREACH), (.prohibit, EACCES),
        ])
        func `a refusing route reports its error to the sender`(target: Route.Target, errno: CInt) throws {
            let cable = try Cable()
            for (prefix, destination) in [("192.0.2.0/24", "192.0.2.1:9"), ("2001:db8::/32", "[2001:db8::1]:9")] {
                let route = Route(to: try #require(AddressPrefix(prefix)), target)
                let address = try #require(SocketAddress(destination))
                _ = try cable.near.connectUDP(to: address)
                try cable.nearNetlink.replaceRoute(route)
                #expect(throws: SystemCallError(call: "connect", errno: errno, context: destination)) {
                    _ = try cable.near.connectUDP(to: address)
                }
                try cable.nearNetlink.deleteRoute(route)
                _ = try cable.near.connectUDP(to: address)
            }
        }

        @Test func `routes are listed as created, and can be replaced`() throws {
            let cable = try Cable()
            let netlink = cable.nearNetlink
            let network = try #require(AddressPrefix("198.51.100.0/24"))
            let far = try #require(IPAddress("203.0.113.1"))
            let first = Route(to: network, .gateway(far, interface: cable.nearIndex, onLink: true), metric: 50)
            try netlink.addRoute(first)
            #expect(try netlink.routes().contains(first))
            #expect(throws: NetlinkError.self) { try netlink.addRoute(first) }
            let second = Route(to: network, .interface(cable.nearIndex), metric: 50)
            try netlink.replaceRoute(second)
            let listed = try netlink.routes().filter { $0.destination == network }
            #expect(listed == [second])
            let apart = Route(to: .allV6, .interface(cable.nearIndex), metric: 1024, table: 1000)
            try netlink.addRoute(apart)
            #expect(try netlink.routes(table: 1000) == [apart])
            #expect(
                try netlink.routes().contains(
                    Route(to: .allV4, .gateway(Cable.far4, interface: cable.nearIndex, onLink: false))))
        }

        @Test func `a rule sends packets to its own table`() throws {
            let cable = try Cable()
            let target = try #require(SocketAddress("192.0.2.1:9"))
            let rule = RoutingRule(isV6: false, priority: 100, table: 77, source: AddressPrefix(host: Cable.near4))
            try cable.nearNetlink.addRoute(Route(to: .allV4, .unreachable, table: 77))
            try cable.nearNetlink.addRule(rule)
            let source = SocketAddress(Cable.near4, port: 0)
            #expect(throws: SystemCallError.self) { _ = try cable.near.connectUDP(to: target, from: source) }
            try cable.nearNetlink.deleteRule(rule)
            _ = try cable.near.connectUDP(to: target, from: source)
        }

        @Test func `a permanent neighbour is used without resolution`() throws {
            let cable = try Cable()
            let wrong: [UInt8] = [2, 0, 0, 0, 0, 99]
            let right = try cable.farNetlink.link(cable.farIndex).hardwareAddress
            let probe = try cable.probe()
            let train = LinkProbe.Train(packets: 3, patience: milliseconds(50))
            try cable.nearNetlink.setPermanentNeighbour(Cable.far4, hardwareAddress: wrong, on: cable.nearIndex)
            #expect(try probe.measure(train, until: MonotonicClock.deadline(after: milliseconds(500))).lost == 3)
            try cable.nearNetlink.setPermanentNeighbour(Cable.far4, hardwareAddress: right, on: cable.nearIndex)
            #expect(try probe.measure(train, until: MonotonicClock.deadline(after: milliseconds(500))).lost == 0)
            try cable.nearNetlink.removeNeighbour(Cable.far4, on: cable.nearIndex)
        }

        @Test func `an error contains the kernel's message`() throws {
            let netlink = try NetlinkSocket(in: try NetworkNamespace.make())
            let route = Route(to: .allV4, .gateway(.v4(0x0A00_0001), interface: nil, onLink: false))
            #expect {
                try netlink.addRoute(route)
            } throws: { error in
                guard case .refused(_, ENETUNREACH, let words?) = error as? NetlinkError else { return false }
                return words.contains("gateway")
            }
        }
    }
}
