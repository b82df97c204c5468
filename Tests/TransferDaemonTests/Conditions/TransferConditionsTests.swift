import Testing
import TransferProtocol

@testable import AdaptableSession
@testable import TransferDaemon

@Suite struct TransferConditionsTests {
    private let power = PowerSupply(hasExternalPower: false, batteryLevel: 0.25)

    private func interface(_ kind: InterfaceKind, _ traits: PathTraits = []) -> NetworkInterface {
        NetworkInterface(index: 1, name: "i", kind: kind, traits: traits, addresses: [], routes: [])
    }

    @Test(arguments: [
        (InterfaceKind.wifi, TransferConditions.Path.wifi), (.cellular, .cellular), (.wired, .wired), (.other, .wired),
        (.vpn, .wired),
    ]) func `the best interface gives the path`(kind: InterfaceKind, path: TransferConditions.Path) {
        let conditions = TransferConditions(usable: [interface(kind), interface(.cellular)], power)
        // A tunnel has the path of the next interface.
        #expect(conditions.path == (kind == .vpn ? .cellular : path))
        #expect(TransferConditions(usable: [interface(kind)], power).path == path)
    }

    @Test func `the best interface gives the cost and the supplies give the power`() {
        let conditions = TransferConditions(
            usable: [interface(.vpn), interface(.wifi, [.expensive, .constrained]), interface(.wired)], power)
        #expect(
            conditions
                == TransferConditions(
                    path: .wifi, isExpensive: true, isConstrained: true, hasExternalPower: false, batteryLevel: 0.25))
        #expect(!TransferConditions(usable: [interface(.wifi)], power).isExpensive)
    }

    @Test func `a machine without an interface lacks a path`() {
        #expect(TransferConditions(usable: [], power).path == .none)
        #expect(TransferConditions(NetworkState([interface(.loopback), interface(.wifi)]), power).path == .none)
    }
}
