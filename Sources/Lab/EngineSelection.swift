import LabKernel
import LinkEmulator
import NetworkMonitor
import ScenarioLanguage

/// Selects the link engine that supports all conditions of a network.
enum EngineSelection {
    static func make(
        _ choice: EngineChoice, plan: NetworkPlan, seed: UInt64, capture: Capture?, breakpoints: [PacketBreakpoint],
        decisions: DecisionRecorder, client: NetworkNamespace, internet: NetworkNamespace,
        observer: @escaping LinkObserver
    ) throws(LabError) -> any LinkEngine {
        switch choice {
        case .emulator:
            if let reason = tunProblem(in: client) {
                throw .machine("the emulator needs TUN devices: \(reason)", fix: "or choose --engine kernel")
            }
            return try EmulatorEngine(
                seed: seed, capture: capture, breakpoints: breakpoints, decisions: decisions, observer: observer)
        case .kernel:
            try refuse(breakpoints)
            return try KernelEngine(capture: capture, client: client, observer: observer)
        case .auto:
            guard let reason = tunProblem(in: client) else {
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

    static let noSinglePackets = LabError.cannotExpress(
        condition: "a trigger on packets or on bytes of the wire", engine: "kernel",
        reason: "the kernel does not report single packets")

    /// Tries to create a TUN device and returns the reason if that fails.
    private static func tunProblem(in namespace: NetworkNamespace) -> String? {
        do throws(NetlinkError) {
            _ = try TunDevice.make("cw-trial", in: namespace)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
