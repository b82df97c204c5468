import Lab
import InternetAddresses
import LabKernel
@testable import LinkEngines
import NetworkMonitor
import Record
import ScenarioLanguage
import Testing

/// Enters and leaves each state of an interface in both engines, observed by a monitor in the client's namespace. The
/// sequences are complete: a superfluous event is as wrong as a missing one, because path monitors react to each.
@Suite(
    .serialized,
    .enabled(if: EngineAgreementLab.canBuild, "needs network namespaces and TUN devices: see crosswind doctor"))
struct InterfaceStateTests {
    static let engines = EngineAgreementLab.engines
    static let routes = ["default via 192.0.2.1 wlan0 600", "default via 2001:db8:1::1 wlan0 600"]
    static let lost = [
        "- default via 192.0.2.1 wlan0 600", "- default via 2001:db8:1::1 wlan0 600", "- 192.0.2.2/24 wlan0",
        "- 192.0.2.0/24 wlan0",
        "- 2001:db8:1::2/64 wlan0", "- 2001:db8:1::/64 wlan0",
    ]
    static let found = [
        "+ 192.0.2.2/24 wlan0", "+ 192.0.2.0/24 wlan0", "+ default via 192.0.2.1 wlan0 600", "+ 2001:db8:1::/64 wlan0",
        "+ 2001:db8:1::2/64 wlan0", "+ default via 2001:db8:1::1 wlan0 600",
    ]

    @Test(arguments: engines)
    func `a lost default route does not affect the addresses`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine)
        try client.expect(.interfaceState(.wifi, .noRoute), reports: Self.routes.map { "- " + $0 })
        #expect(try client.connects().contains("unreachable"))
        #expect(try client.connects(ipv6: true).contains("unreachable"))
        try client.expect(.interfaceState(.wifi, .up), reports: Self.routes.map { "+ " + $0 })
        #expect(try client.connects() == "192.0.2.2")
        #expect(try client.connects(ipv6: true) == "2001:db8:1::2")
        client.finish()
    }

    /// Its packets would have met two conditions, and the report would show black holes through which probes arrive.
    @Test(arguments: engines)
    func `a measurement shows one condition of a link that changes again`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine)
        for _ in 1...10 {
            try client.lab.apply(.interfaceState(.wifi, .blackhole))
            try client.lab.apply(.interfaceState(.wifi, .up))
        }
        client.lab.report()
        let probes: [NetworkFact.Measurement] = client.facts.compactMap {
            if case .conditionMeasured(.wifi, _, let found) = $0, found.means == .probe { found } else { nil }
        }
        // A slow machine may complete a measurement between two changes; each shows one condition.
        #expect(probes.count >= 2)
        #expect(probes.allSatisfy { $0.packets > 0 })
        #expect(probes.allSatisfy { $0.lost == ($0.text.hasPrefix("asked black hole") ? $0.packets : 0) })
        client.finish()
    }

    /// New namespaces start with the machine's settings, and Docker makes the machine a router.
    @Test(arguments: engines)
    func `a lab is not a router unless it translates`(engine: EngineChoice) throws {
        let plain = try InterfaceLab(engine)
        #expect(try plain.lab.internet.sysctl("net/ipv4/ip_forward") == "0")
        #expect(try plain.lab.client.sysctl("net/ipv4/ip_forward") == "0")
        plain.finish()
        let translating = try InterfaceLab(engine, nat64: NAT64Plan(clat: false))
        #expect(try translating.lab.internet.sysctl("net/ipv4/conf/all/forwarding") == "1")
        translating.finish()
    }

    @Test(arguments: engines)
    func `one family can lose its router without the other`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine)
        try client.expect(.interfaceState(.wifi, .noIPv4Route), reports: ["- " + Self.routes[0]])
        #expect(try client.connects().contains("unreachable"))
        #expect(try client.connects(ipv6: true) == "2001:db8:1::2")
        try client.expect(
            .interfaceState(.wifi, .noIPv6Route), reports: ["- " + Self.routes[1], "+ " + Self.routes[0]])
        #expect(try client.connects() == "192.0.2.2")
        #expect(try client.connects(ipv6: true).contains("unreachable"))
        try client.expect(.interfaceState(.wifi, .up), reports: ["+ " + Self.routes[1]])
        client.finish()
    }

    @Test(arguments: engines)
    func `an expired lease removes addresses and routes while the link stays up`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine)
        try client.expect(.interfaceState(.wifi, .noAddress), reports: Self.lost)
        #expect(try client.connects().contains("unreachable"))
        try client.expect(.interfaceState(.wifi, .up), reports: Self.found)
        #expect(try client.connects() == "192.0.2.2")
        #expect(try client.connects(ipv6: true) == "2001:db8:1::2")
        client.finish()
    }

    @Test(arguments: engines)
    func `an unplugged cable is reported first, and a plugged one before the lease returns`(engine: EngineChoice) throws
    {
        let client = try InterfaceLab(engine)
        try client.expect(.interfaceState(.wifi, .noCarrier), reports: ["wlan0 not running"] + Self.lost)
        let link = try NetlinkSocket(in: client.lab.client).link(named: "wlan0")
        #expect(link.isUp && !link.hasCarrier)
        try client.expect(.interfaceState(.wifi, .up), reports: ["wlan0 running"] + Self.found)
        #expect(try client.connects() == "192.0.2.2")
        #expect(try client.connects(ipv6: true) == "2001:db8:1::2")
        client.finish()
    }

    @Test(arguments: engines)
    func `an interface going down is reported last, and one coming up first`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine)
        try client.expect(.interfaceState(.wifi, .down), reports: Self.lost + ["wlan0 down"])
        #expect(try client.connects().contains("unreachable"))
        // A TUN device runs as soon as it is up; an Ethernet carrier is detected a moment later.
        let link = engine == .emulator ? ["wlan0 up"] : ["wlan0 up", "wlan0 running"]
        try client.expect(.interfaceState(.wifi, .up), reports: link + Self.found)
        #expect(try client.connects() == "192.0.2.2")
        #expect(try client.connects(ipv6: true) == "2001:db8:1::2")
        client.finish()
    }

    @Test(arguments: engines)
    func `a black hole causes no events`(engine: EngineChoice) throws {
        guard engine == .emulator || EngineAgreementLab.hasNetem else { return }
        let client = try InterfaceLab(engine)
        try client.expect(.interfaceState(.wifi, .blackhole), reports: [])
        #expect(try client.connects() == "silence")
        try client.expect(.interfaceState(.wifi, .up), reports: [])
        #expect(try client.connects() == "192.0.2.2")
        client.finish()
    }

    /// Tests every pair of states, so that entering a state does not depend on the previous one.
    @Test(arguments: engines)
    func `every state can follow every other`(engine: EngineChoice) throws {
        let states: [InterfaceState] = [.up, .down, .noRoute, .noIPv4Route, .noIPv6Route, .noAddress]
        let client = try InterfaceLab(engine)
        let netlink = try NetlinkSocket(in: client.lab.client)
        let index = try netlink.link(named: "wlan0").index
        for first in states {
            for second in states where second != first {
                _ = try client.seeing(.interfaceState(.wifi, first), .interfaceState(.wifi, second))
                let gateways = try netlink.routes().filter { if case .gateway = $0.target { true } else { false } }
                let families = gateways.map { $0.destination.address.isV6 ? "6" : "4" }.sorted()
                let (addresses, routes): (Int, [String]) =
                    switch second {
                    case .up, .blackhole: (2, ["4", "6"])
                    case .noRoute: (2, [])
                    case .noIPv4Route: (2, ["6"])
                    case .noIPv6Route: (2, ["4"])
                    case .noAddress, .noCarrier, .down: (0, [])
                    }
                #expect(families == routes, "\(first) then \(second)")
                #expect(try netlink.addresses(of: index).count == addresses, "\(first) then \(second)")
                #expect(try netlink.link(index).isUp == (second != .down))
            }
        }
        client.finish()
    }

    @Test(arguments: engines)
    func `an interface can start without a cable and be plugged in later`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine, [InterfaceLab.perfect(.wired, .noCarrier)])
        let netlink = try NetlinkSocket(in: client.lab.client)
        #expect(try netlink.link(named: "eth0").isUp)
        #expect(!(try netlink.link(named: "eth0").isRunning))
        #expect(try netlink.routes().isEmpty)
        #expect(try client.seeing(.interfaceState(.wired, .up)).first == "eth0 running")
        #expect(try client.connects() == "203.0.113.130")
        // Without a cable it can also be set down and up again.
        _ = try client.seeing(
            .interfaceState(.wired, .noCarrier), .interfaceState(.wired, .down), .interfaceState(.wired, .up))
        #expect(try client.connects() == "203.0.113.130")
        client.finish()
    }
}
