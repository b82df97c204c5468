import Lab
import LinkEmulator
@testable import LinkEngines
import Record
import ScenarioLanguage
import Testing

/// A client's path monitor takes an IPv4 default route for a way to IPv4 servers, so the translator of 464XLAT has one
/// only while the translated packets have one.
@Suite(
    .serialized,
    .enabled(if: EngineAgreementLab.canBuild, "needs network namespaces and TUN devices: see crosswind doctor"))
struct ClientTranslatorRouteTests {
    private static func lab(_ engine: EngineChoice, _ interfaces: [InterfacePlan]) throws -> InterfaceLab {
        try InterfaceLab(engine, interfaces, families: .ipv6, nat64: NAT64Plan(clat: true))
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `without an uplink IPv4 is unreachable at once, and works again when it returns`(engine: EngineChoice) throws {
        let client = try Self.lab(engine, [InterfaceLab.perfect(.wifi)])
        #expect(try client.connects() == "192.0.0.1")
        for state: InterfaceState in [.noRoute, .down] {
            let lost = try client.seeing(.interfaceState(.wifi, state))
            #expect(lost.first == "- default v4-wlan0", "IPv4 ends first: \(lost)")
            #expect(try client.connects().contains("unreachable"))
            let found = try client.seeing(.interfaceState(.wifi, .up))
            #expect(found.last == "+ default v4-wlan0", "IPv4 comes last: \(found)")
            #expect(try client.connects() == "192.0.0.1")
        }
        client.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `a lab without an uplink is without an IPv4 route until an interface comes up`(engine: EngineChoice)
        throws
    {
        let client = try Self.lab(
            engine, [InterfaceLab.perfect(.wifi, .down), InterfaceLab.perfect(.cellular, .down)])
        #expect(try client.connects().contains("unreachable"))
        #expect(try client.seeing(.interfaceState(.cellular, .up)).last == "+ default v4-wlan0")
        #expect(try client.connects() == "192.0.0.1")
        // With a second uplink the loss of the first one is not the end of IPv4.
        let events = try client.seeing(.interfaceState(.wifi, .up), .interfaceState(.wifi, .down))
        #expect(!events.contains { $0.contains("v4-wlan0") })
        client.finish()
    }
}
