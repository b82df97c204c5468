import Harness
import LinuxNet
import Scenario
import Testing

/// A new lease: the old address is gone for good, and the far side answers to the new one at once, also where it has to know the
/// neighbour (the kernel's engine).
@Suite(.serialized, .enabled(if: EngineAgreementLab.canBuild, "needs network namespaces and TUN devices: see crosswind doctor"))
struct RenumberingTests {
    @Test(arguments: EngineAgreementLab.engines)
    func `the old addresses leave before the new ones come`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine)
        try client.expect(.renumber(.wifi), tells: InterfaceStateTests.lost
                + InterfaceStateTests.found.map { line in
                    line.replacing("192.0.2.2/", with: "192.0.2.3/").replacing("1::2/", with: "1::3/")
                })
        #expect(try client.connects() == "192.0.2.3")
        #expect(try client.connects(ipv6: true) == "2001:db8:1::3")
        #expect(client.changes(of: .wifi) == ["renumbered to 192.0.2.3 2001:db8:1::3"])
        client.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `the pool goes round, and never gives the same address twice running`(engine: EngineChoice) throws {
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
    func `a connection across it is lost, and one without a route to the new address is found later`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine, families: .ipv4)
        #expect(try client.seeing(.interfaceState(.wifi, .noAddress), .renumber(.wifi)).allSatisfy { $0.hasPrefix("-") })
        _ = try client.seeing(.interfaceState(.wifi, .up))
        #expect(try client.connects() == "192.0.2.3")
        client.finish()
    }
}
