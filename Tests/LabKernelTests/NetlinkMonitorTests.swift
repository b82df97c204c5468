import Glibc
import InternetAddresses
import LabKernel
import NetworkMonitor
import Testing

extension KernelTests {
    /// The kernel queues its messages before the call that causes them returns, so a monitor that does not wait sees
    /// them all.
    struct NetlinkMonitorTests {
        @Test func `an address and its route are reported in order, without derived routes`() throws {
            let cable = try Cable()
            var monitor = try NetlinkMonitor.make(in: cable.near)
            #expect(try monitor.next(until: 0) == nil)
            let extra = try #require(AddressPrefix("198.51.100.9/24"))
            let network = try #require(AddressPrefix("198.51.100.0/24"))
            try cable.nearNetlink.addAddress(extra, to: cable.nearIndex)
            let address = InterfaceAddress(index: cable.nearIndex, prefix: extra, isTentative: false)
            #expect(try monitor.next(until: 0) == .addressAdded(address))
            guard case .routeAdded(let route) = try monitor.next(until: 0) else {
                Issue.record("expected the route to the network of an address after the address")
                return
            }
            #expect(route.destination == network && route.target == .interface(cable.nearIndex))
            #expect(try monitor.next(until: 0) == nil)
            try cable.nearNetlink.removeAddress(extra, from: cable.nearIndex)
            #expect(try monitor.next(until: 0) == .addressRemoved(address))
            #expect(try monitor.next(until: 0) == .routeRemoved(route))
            #expect(try monitor.next(until: 0) == nil)
        }

        @Test func `each change of a link reports the changed properties`() throws {
            let cable = try Cable()
            let netlink = cable.nearNetlink
            var monitor = try NetlinkMonitor.make(in: cable.near)
            func aspects(_ monitor: inout NetlinkMonitor) throws -> LinkAspects {
                var all: LinkAspects = []
                while let event = try monitor.next(until: 0) {
                    if case .link(_, let changes) = event { all.formUnion(changes) }
                }
                return all
            }
            try netlink.change(cable.nearIndex, LinkChange(alias: "expensive"))
            #expect(try aspects(&monitor) == .alias)
            try netlink.change(cable.nearIndex, LinkChange(mtu: 1400))
            #expect(try aspects(&monitor) == .mtu)
            try cable.farNetlink.setDown(cable.farIndex)
            try netlink.waitUntilRunning(cable.nearIndex, false)
            #expect(try aspects(&monitor).isSuperset(of: [.carrier, .operation]))
            try netlink.setDown(cable.nearIndex)
            #expect(try aspects(&monitor).contains(.administration))
            try netlink.change(cable.nearIndex, LinkChange(name: "wlan9"))
            #expect(try aspects(&monitor) == .name)
        }

        @Test func `added and removed interfaces and rules are reported`() throws {
            let cable = try Cable()
            var monitor = try NetlinkMonitor.make(in: cable.near)
            try cable.nearNetlink.makeVirtualEthernetPair(name: "eth0", peerName: "out1", peerIn: cable.far)
            guard case .link(let made, changes: .existence) = try monitor.next(until: 0) else {
                Issue.record("expected an event for a created interface")
                return
            }
            #expect(made.name == "eth0" && !made.isUp)
            while try monitor.next(until: 0) != nil {}
            let rule = RoutingRule(
                isV6: true, priority: 77, table: 1000, source: AddressPrefix(host: Cable.near6), mark: 5,
                outputInterface: "eth0")
            try cable.nearNetlink.addRule(rule)
            #expect(try monitor.next(until: 0) == .ruleAdded(rule))
            try cable.nearNetlink.deleteRule(rule)
            #expect(try monitor.next(until: 0) == .ruleRemoved(rule))
            try cable.nearNetlink.deleteLink(made.index)
            var isGone = false
            while let event = try monitor.next(until: 0) {
                if case .linkRemoved(let link) = event { isGone = link.name == "eth0" }
            }
            #expect(isGone)
        }

        @Test func `a replaced default route is reported as the new one`() throws {
            let cable = try Cable()
            var monitor = try NetlinkMonitor.make(in: cable.near)
            for far in ["203.0.113.1", "203.0.113.2"] {
                let gateway = try #require(IPAddress(far))
                let route = Route(to: .allV4, .gateway(gateway, interface: cable.nearIndex, onLink: true), metric: 700)
                try cable.nearNetlink.replaceRoute(route)
                #expect(try monitor.next(until: 0) == .routeAdded(route))
            }
        }

        @Test func `unread messages end in one overrun, and later events are reported again`() throws {
            let cable = try Cable()
            var monitor = try NetlinkMonitor.make(in: cable.near, receiveBuffer: 4096)
            let extra = try #require(AddressPrefix("198.51.100.9/24"))
            for _ in 0..<200 {
                try cable.nearNetlink.addAddress(extra, to: cable.nearIndex)
                try cable.nearNetlink.removeAddress(extra, from: cable.nearIndex)
            }
            #expect(try monitor.next(until: 0) == .overrun)
            #expect(try monitor.next(until: 0) == nil)
            try cable.nearNetlink.addAddress(extra, to: cable.nearIndex)
            guard case .addressAdded = try monitor.next(until: 0) else {
                Issue.record("expected the monitor to continue after an overrun")
                return
            }
        }

        @Test func `next waits for an event and returns nil at its deadline`() throws {
            let cable = try Cable()
            var monitor = try NetlinkMonitor.make(in: cable.near)
            let begun = MonotonicClock.now()
            #expect(try monitor.next(until: begun + milliseconds(50)) == nil)
            #expect(MonotonicClock.now() >= begun + milliseconds(50))
            let netlink = cable.nearNetlink
            let index = cable.nearIndex
            // The event is reported whether it occurs before or after the wait begins.
            let thread = try DedicatedThread(name: "test-change") { try? netlink.change(index, LinkChange(alias: "x")) }
            guard
                case .link(_, changes: .alias) = try monitor.next(
                    until: MonotonicClock.deadline(after: milliseconds(5_000)))
            else {
                Issue.record("expected the change of another thread")
                return
            }
            withExtendedLifetime(thread) {}
        }

        @Test func `another namespace's events are not reported`() throws {
            let cable = try Cable()
            var monitor = try NetlinkMonitor.make(in: cable.far)
            try cable.nearNetlink.addRoute(Route(to: .allV4, .unreachable, metric: 9_999))
            #expect(try monitor.next(until: 0) == nil)
        }
    }
}
