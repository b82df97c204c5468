import Record
import Lab
@testable import LinkEngines
import ScenarioLanguage
import Testing

/// A new lease: the old address is removed for good, and the far side responds to the new one at once, even where it
/// has to know the neighbour (the kernel engine).
@Suite(
    .serialized,
    .enabled(if: EngineAgreementLab.canBuild, "needs network namespaces and TUN devices: see crosswind doctor"))
struct RenumberingTests {
    @Test(arguments: EngineAgreementLab.engines)
    func `the old addresses are removed before the new ones are added`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine)
        try client.expect(
            .renumber(.wifi),
            reports: InterfaceStateTests.lost
                + InterfaceStateTests.found.map { line in
                    line.replacing("192.0.2.2/", with: "192.0.2.3/").replacing("1::2/", with: "1::3/")
                })
        #expect(try client.connects() == "192.0.2.3")
        #expect(try client.connects(ipv6: true) == "2001:db8:1::3")
        #expect(client.changes(of: .wifi) == ["renumbered to 192.0.2.3 2001:db8:1::3"])
        client.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `the pool is cyclic and never assigns the same address twice in a row`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine, families: .ipv4)
        var seen: [String] = [try client.connects()]
        for _ in 0..<Addressing.leases {
            _ = try client.seeing(.renumber(.wifi))
            seen.append(try client.connects())
        }
        #expect(seen.first == seen.last)
        #expect(Set(seen).count == Addressing.leases)
        client.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `an interface renumbered without an address gets the new one when it is up`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine, families: .ipv4)
        #expect(
            try client.seeing(.interfaceState(.wifi, .noAddress), .renumber(.wifi)).allSatisfy { $0.hasPrefix("-") })
        _ = try client.seeing(.interfaceState(.wifi, .up))
        #expect(try client.connects() == "192.0.2.3")
        client.finish()
    }
}
