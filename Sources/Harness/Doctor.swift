import LinuxNet

/// What this machine can do for a run, found by trying.
package struct Doctor {
    package var lines: [String]
    package var canRun: Bool

    package static func examine() -> Doctor {
        var lines: [String] = []
        if let problem = Privilege.problem {
            lines.append("MISSING  namespaces of our own: \(problem)")
            return Doctor(lines: lines, canRun: false)
        }
        let checks = MachineCheck.all()
        for check in checks {
            switch check.outcome {
            case .ok(let detail): lines.append("ok       \(check.name)\(detail.map { ": \($0)" } ?? "")")
            case .missing(let reason, let mend):
                lines.append("\(check.isRequired ? "MISSING" : "without")  \(check.name): \(reason); fix: \(mend)")
            }
        }
        let tun = checks.first { $0.name == "TUN devices" }?.isOK ?? false
        let netem = checks.first { $0.name == "qdisc netem" }?.isOK ?? false
        switch (tun, netem) {
        case (true, _): lines.append("\nLink engine: the emulator, which can express every condition.")
        case (false, true): lines.append("\nLink engine: the kernel's, with netem; conditions that need the emulator are refused.")
        case (false, false):
            lines.append("\nLink engine: the kernel's without netem: rates and queues only; delay, jitter, loss and outages need TUN or netem.")
        }
        let canRun = checks.allSatisfy { $0.isOK || !$0.isRequired }
        lines.append(canRun ? "This machine can run scenarios." : "This machine cannot run scenarios until what is MISSING is mended.")
        return Doctor(lines: lines, canRun: canRun)
    }
}

/// Having the rights to build namespaces: as root, or inside a user namespace of our own.
package enum Privilege {
    /// Set once at start-up.
    package static var problem: String? { Rootless.mayAdminister ? nil : "no right to administer the network, and no user namespace either" }

    /// Started as an ordinary user, the program begins again inside its own user, mount and network namespaces. Must come before
    /// any thread is made.
    package static func acquire() throws(HarnessError) {
        do throws(RootlessError) {
            try Rootless.reenterIfNeeded()
        } catch {
            throw .machine("this user may not make namespaces: \(error)", mend: error.mend)
        }
    }
}
