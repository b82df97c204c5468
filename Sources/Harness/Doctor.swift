import Lab
import LabKernel

/// The capabilities of this machine for running labs, determined by trying.
package struct Doctor {
    package var lines: [String]
    package var canRun: Bool

    package static func examine() -> Doctor {
        var lines: [String] = []
        if let problem = Privilege.problem {
            lines.append("MISSING  namespaces: \(problem)")
            return Doctor(lines: lines, canRun: false)
        }
        let checks = MachineCheck.all()
        for check in checks {
            switch check.outcome {
            case .ok(let detail): lines.append("ok       \(check.name)\(detail.map { ": \($0)" } ?? "")")
            case .missing(let reason, let fix):
                lines.append("\(check.isRequired ? "MISSING" : "without")  \(check.name): \(reason); fix: \(fix)")
            }
        }
        let tun = checks.first { $0.name == "TUN devices" }?.isOK ?? false
        let netem = checks.first { $0.name == "qdisc netem" }?.isOK ?? false
        switch (tun, netem) {
        case (true, _): lines.append("\nLink engine: the emulator, which can express every condition.")
        case (false, true):
            lines.append("\nLink engine: the kernel's, with netem; conditions that need the emulator are refused.")
        case (false, false):
            lines.append(
                "\nLink engine: the kernel's without netem: rates and queues only; delay, jitter and loss need TUN or netem, outages need TUN."
            )
        }
        let hasDelay = tun || netem
        let canRun = checks.allSatisfy { $0.isOK || !$0.isRequired }
        lines.append(
            canRun
                ? hasDelay
                    ? "This machine can run scenarios."
                    : "This machine can run only the few scenarios that need neither; fix the TUN devices first."
                : "This machine cannot run scenarios until everything marked MISSING is fixed.")
        return Doctor(lines: lines, canRun: canRun)
    }
}
