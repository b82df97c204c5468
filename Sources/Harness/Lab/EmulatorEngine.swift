import LinkEmulator
import LinuxNet
import Scenario

/// Makes conditions real with TUN devices and our own packet pump. It can express every condition.
final class EmulatorEngine: LinkEngine {
    private let pump: EmulatorPump
    let hasNeighbours = false

    init(seed: UInt64, capture: Capture?, marks: [PacketMark], observer: @escaping LinkObserver) throws(HarnessError) {
        do {
            pump = try EmulatorPump(seed: seed, capture: capture, marks: marks, observer: observer)
        } catch {
            throw .lab("\(error)")
        }
    }

    func makeLink(
        _ kind: InterfaceKind, client: NetworkNamespace, internet: NetworkNamespace, _ link: LinkState
    ) throws(HarnessError) {
        do throws(NetlinkError) {
            let pair = TunPair(
                client: try TunDevice.make(kind.linuxName, in: client),
                network: try TunDevice.make(kind.networkName, in: internet))
            pump.perform(.attach(kind, pair, up: link.parameters(.up), down: link.parameters(.down)))
        } catch {
            throw .lab("\(error)")
        }
    }

    func change(_ kind: InterfaceKind, _ link: LinkState) throws(HarnessError) {
        pump.perform(.change(kind, up: link.parameters(.up), down: link.parameters(.down)))
    }

    let burst: LinkBurst = { _ in 0 }
    func measure(_ kind: InterfaceKind) { pump.perform(.measure(kind)) }
    func count() { pump.perform(.count) }
    func stop() { pump.perform(.stop) }
}

extension LinkState {
    func condition(_ direction: LinkDirectionName) -> Condition {
        switch direction {
        case .up: plan.up
        case .down: plan.down
        }
    }

    fileprivate func parameters(_ direction: LinkDirectionName) -> LinkParameters {
        LinkParameters(condition(direction), swallowsEverything: swallowsEverything)
    }
}
