import LabKernel
package import LinkEmulator
import NetworkMonitor
import Record
import ScenarioLanguage

/// Realises conditions with TUN devices and a packet pump in this process. It supports every condition.
final class EmulatorEngine: LinkEngine {
    private let pump: EmulatorPump
    private let observer: LinkObserver
    /// The ends of every link, for reading their overflow counters.
    private var ends: [(kind: InterfaceKind, name: String, namespace: NetworkNamespace)] = []
    let name = "emulator"
    let hasNeighbours = false

    init(
        seed: UInt64, capture: Capture?, breakpoints: [PacketBreakpoint], decisions: DecisionRecorder,
        observer: @escaping LinkObserver
    ) throws(LabError) {
        self.observer = observer
        do {
            pump = try EmulatorPump(
                seed: seed, capture: capture, breakpoints: breakpoints, decisions: decisions, observer: observer)
        } catch {
            throw .failed("\(error)")
        }
    }

    // The pump recognises each probe and never counts it.
    func startCounting() {}
    func probeObserver(before observer: @escaping LinkObserver) -> LinkObserver { observer }

    func makeLink(
        _ kind: InterfaceKind, client: NetworkNamespace, internet: NetworkNamespace, _ link: LinkState
    ) throws(LabError) {
        let parameters = try link.parameters
        do throws(NetlinkError) {
            let pair = TunPair(
                client: try TunDevice.make(kind.linuxName, in: client, offloads: true),
                network: try TunDevice.make(kind.networkName, in: internet, offloads: true))
            pump.perform(.attach(kind, pair, parameters))
            ends += [(kind, kind.linuxName, client), (kind, kind.networkName, internet)]
        } catch {
            throw .failed("\(error)")
        }
    }

    func change(_ kind: InterfaceKind, _ link: LinkState) throws(LabError) {
        pump.perform(.change(kind, try link.parameters))
    }

    func kill(_ cut: ConnectionKillPlan) { pump.perform(.kill(cut)) }
    func addBreakpoint(_ kind: InterfaceKind, _ direction: LinkDirectionName, packetsFromNow count: Int)
        throws(LabError) -> Int
    {
        let reply = PacketNumberReply()
        pump.perform(.addBreakpoint(kind, direction, packetsFromNow: count, reply))
        guard let number = reply.number else { throw .failed("the lab does not have a \(kind.rawValue) interface") }
        return number
    }
    func resume() { pump.post(.resume) }

    let burst: LinkBurst = { _ in 0 }
    func measure(_ kind: InterfaceKind) { pump.perform(.measure(kind)) }
    func count() {
        pump.perform(.count)
        reportOverflows()
    }

    /// Reports packets that the kernel dropped because a device's queue was full: losses caused by the machine, not by
    /// the condition.
    private func reportOverflows() {
        for (kind, name, namespace) in ends {
            // The deletion of an interface has already been reported.
            guard let link = try? NetlinkSocket(in: namespace).link(named: name), link.statistics.sent.dropped > 0
            else { continue }
            let count = link.statistics.sent.dropped
            observer(
                .fact(
                    .interfaceChanged(
                        kind,
                        "\(count) packets were lost before the link: the machine was too slow to take them from \(name)"
                    )))
        }
    }

    func traffic() -> [LinkTraffic] {
        let reply = TrafficReply()
        pump.perform(.traffic(reply))
        return reply.all
    }
    func stop() { pump.perform(.stop) }
}

extension LinkState {
    package func condition(_ direction: LinkDirectionName) -> Condition {
        switch direction {
        case .uplink: plan.uplink
        case .downlink: plan.downlink
        }
    }

    fileprivate var parameters: PerDirection<LinkParameters> {
        get throws(LabError) {
            PerDirection(
                uplink: try LinkParameters.make(plan.uplink, swallowsEverything: swallowsEverything),
                downlink: try LinkParameters.make(plan.downlink, swallowsEverything: swallowsEverything))
        }
    }
}

extension LinkParameters {
    /// Converts a condition; refuses invalid numbers by name before any packet is sent.
    package static func make(_ condition: Condition, swallowsEverything: Bool) throws(LabError) -> LinkParameters {
        let parameters = LinkParameters(condition, swallowsEverything: swallowsEverything)
        do throws(LinkParameterError) {
            try check(parameters)
        } catch {
            throw .cannotExpress(condition: condition.summary, engine: "emulator", reason: "\(error)")
        }
        return parameters
    }
}
