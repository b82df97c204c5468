package import LabKernel
import LinkEmulator
import NetworkMonitor
package import ScenarioLanguage

/// Selects the link engine that supports all conditions of a network.
package enum EngineSelection {
    package static func make(
        _ choice: EngineChoice, plan: NetworkPlan, seed: UInt64, capture: Capture?, breakpoints: [PacketBreakpoint],
        decisions: DecisionRecorder, client: NetworkNamespace, internet: NetworkNamespace,
        observer: @escaping LinkObserver
    ) throws(LabError) -> any LinkEngine {
        switch choice {
        case .emulator:
            if let reason = tunProblem {
                throw .machine("the emulator needs TUN devices: \(reason)", fix: "or choose --engine kernel")
            }
            return try EmulatorEngine(
                seed: seed, capture: capture, breakpoints: breakpoints, decisions: decisions, observer: observer)
        case .kernel:
            try refuse(breakpoints)
            return try KernelEngine(capture: capture, client: client, observer: observer)
        case .auto:
            guard let reason = tunProblem else {
                return try EmulatorEngine(
                    seed: seed, capture: capture, breakpoints: breakpoints, decisions: decisions, observer: observer)
            }
            do throws(LabError) {
                try refuse(breakpoints)
                for interface in plan.interfaces {
                    for condition in [interface.link.uplink, interface.link.downlink] {
                        let qdisc = try EgressQdisc.make(condition, swallowsEverything: false)
                        do throws(NetlinkError) { try NetlinkSocket.tryKernel(qdisc) } catch {
                            throw .cannotExpress(condition: condition.summary, engine: "kernel", reason: "\(error)")
                        }
                    }
                }
                return try KernelEngine(capture: capture, client: client, observer: observer)
            } catch {
                throw .machine(
                    "no link engine supports this network: the emulator: \(reason); \(error)",
                    fix: "run `crosswind doctor` to see what is missing")
            }
        }
    }

    private static func refuse(_ breakpoints: [PacketBreakpoint]) throws(LabError) {
        guard breakpoints.isEmpty else { throw noSinglePackets }
    }

    package static let noSinglePackets = LabError.cannotExpress(
        condition: "a trigger on packets or on bytes of the wire", engine: "kernel",
        reason: "the kernel does not report single packets")

    /// The reason why TUN devices cannot be created; nil if they can. Tried once in a process, because it does not differ
    /// from lab to lab and the trial took half of the time to set one up.
    private static let tunProblem: String? = {
        do {
            _ = try TunDevice.make("cw-trial", in: try NetworkNamespace.make())
            return nil
        } catch {
            return "\(error)"
        }
    }()
}
