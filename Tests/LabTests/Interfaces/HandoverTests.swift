import Lab
import InternetAddresses
import LinkEmulator
@testable import LinkEngines
import Record
import ScenarioLanguage
import Testing

/// One interface takes over from another: address, route and name server change in an order that a client can follow.
@Suite(
    .serialized,
    .enabled(if: EngineAgreementLab.canBuild, "needs network namespaces and TUN devices: see crosswind doctor"))
struct HandoverTests {
    @Test(arguments: EngineAgreementLab.engines)
    func `cellular takes over from Wi-Fi in one handover`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine, [InterfaceLab.perfect(.wifi), InterfaceLab.perfect(.cellular, .down)])
        #expect(try client.connects() == "192.0.2.2")
        #expect(client.lab.nameServerAddresses.map(\.description) == ["203.0.113.53", "2001:db8:113::53"])
        let events = try client.seeing(.interfaceState(.wifi, .down), .interfaceState(.cellular, .up))
        let split = try #require(events.firstIndex(of: "wlan0 down"))
        #expect(Array(events[...split]) == InterfaceStateTests.lost + ["wlan0 down"])
        let arrival = events[(split + 1)...].drop { $0.hasPrefix("wwan0") }
        #expect(
            Array(arrival) == [
                "+ 198.51.100.2/24 wwan0", "+ 198.51.100.0/24 wwan0", "+ default via 198.51.100.1 wwan0 700",
                "+ 2001:db8:2::/64 wwan0", "+ 2001:db8:2::2/64 wwan0", "+ default via 2001:db8:2::1 wwan0 700",
            ])
        #expect(try client.connects() == "198.51.100.2")
        #expect(client.lab.nameServerAddresses.map(\.description) == ["203.0.113.54", "2001:db8:113::54"])
        client.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `with both up the preferred interface is used, and the other when its route is lost`(engine: EngineChoice)
        throws
    {
        let client = try InterfaceLab(engine, [InterfaceLab.perfect(.wifi), InterfaceLab.perfect(.cellular)])
        #expect(try client.connects() == "192.0.2.2")
        for state: InterfaceState in [.noRoute, .noAddress, .noCarrier, .down] {
            _ = try client.seeing(.interfaceState(.wifi, state))
            #expect(try client.connects() == "198.51.100.2", "\(state)")
            #expect(try client.connects(ipv6: true) == "2001:db8:2::2", "\(state)")
            #expect(client.lab.nameServerAddresses.first?.description == "203.0.113.54", "\(state)")
        }
        _ = try client.seeing(.interfaceState(.wifi, .up))
        #expect(try client.connects() == "192.0.2.2")
        #expect(client.lab.nameServerAddresses.first?.description == "203.0.113.53")
        client.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `a tunnel carries all traffic while it is up, and without a route nothing is reachable`(engine: EngineChoice)
        throws
    {
        let client = try InterfaceLab(
            engine, [InterfaceLab.perfect(.wifi, .noRoute), InterfaceLab.perfect(.vpn, .down)])
        #expect(try client.connects().contains("unreachable"))
        let events = try client.seeing(.interfaceState(.vpn, .up))
        #expect(events.contains("+ default via 203.0.113.97 tun0 50"))
        #expect(try client.connects() == "203.0.113.98")
        #expect(try client.connects(ipv6: true) == "2001:db8:4::2")
        // With the Wi-Fi's own route back the tunnel is still preferred.
        _ = try client.seeing(.interfaceState(.wifi, .up))
        #expect(try client.connects() == "203.0.113.98")
        #expect(client.lab.nameServerAddresses.first?.description == "203.0.113.56")
        _ = try client.seeing(.interfaceState(.vpn, .down))
        #expect(try client.connects() == "192.0.2.2")
        client.finish()
    }

    @Test func `an engine that cannot end connections refuses by name`() throws {
        let client = try InterfaceLab(.kernel)
        let cut = ConnectionKillPlan(interface: .wifi, manner: .reset(.both))
        #expect {
            try client.lab.apply(.connections(cut))
        } throws: { error in
            guard case .cannotExpress(let condition, engine: "kernel", let reason) = error as? LabError else {
                return false
            }
            return condition == cut.summary && reason.contains("--engine emulator")
        }
        client.finish()
    }
}
