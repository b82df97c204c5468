import CLabKernel
import Glibc
import NetworkMonitor

/// Operation without root: the program becomes uid 0 of its own namespaces.
package enum Rootless {
    /// True if this process may create interfaces and mounts in its current namespaces.
    package static var mayAdminister: Bool { cw_may_administer() == 1 }

    /// True in a program that was executed again in its own user namespace.
    package static var hasReentered: Bool { unsafe getenv("CROSSWIND_REENTERED") != nil }

    /// Executes the program again inside its own user, mount and network namespaces, unless the process has the
    /// privileges already; exit status and signals are then those of the program itself. Returns if this was not
    /// needed.
    ///
    /// Call it first in `main`: the kernel refuses it to a process with several threads.
    package static func reenterIfNeeded() throws(RootlessError) {
        var stage: CInt = 0
        let result = unsafe cw_reenter_rootless(CommandLine.unsafeArgv, &stage)
        guard result < 0 else { return }
        throw RootlessError(stage: RootlessError.Stage(UInt32(stage)), errno: -result)
    }
}

/// The reason why the program cannot run without root here.
package struct RootlessError: Error, Equatable, Sendable {
    package enum Stage: Equatable, Sendable {
        case makingNamespaces
        case mappingUser
        case preparingMounts
        case raisingLoopback
        case executing
        /// The program was executed again and still lacks the privileges.
        case alreadyDone

        init(_ raw: UInt32) {
            switch cw_rootless_stage(raw) {
            case CW_ROOTLESS_SETGROUPS, CW_ROOTLESS_UID_MAP, CW_ROOTLESS_GID_MAP: self = .mappingUser
            case CW_ROOTLESS_MOUNTS: self = .preparingMounts
            case CW_ROOTLESS_LOOPBACK: self = .raisingLoopback
            case CW_ROOTLESS_EXEC: self = .executing
            case CW_ROOTLESS_MARKED: self = .alreadyDone
            default: self = .makingNamespaces
            }
        }
    }

    package let stage: Stage
    package let errno: CInt

    package init(stage: Stage, errno: CInt) {
        self.stage = stage
        self.errno = errno
    }

    package var fix: String {
        switch stage {
        case .makingNamespaces where errno == EINVAL:
            "this process already has several threads: call reenterIfNeeded first in main"
        case .makingNamespaces where errno == ENOSPC: "sysctl -w user.max_user_namespaces=10000"
        case .makingNamespaces, .mappingUser, .preparingMounts, .raisingLoopback:
            UserNamespaceFix.command
        case .executing: "mount /proc, and make sure that the program's file still exists"
        case .alreadyDone: "run as root; \(UserNamespaceFix.command)"
        }
    }
}

extension RootlessError: CustomStringConvertible {
    package var description: String {
        let step =
            switch stage {
            case .makingNamespaces: "cannot create namespaces as this user"
            case .mappingUser: "cannot map the user into its namespace"
            case .preparingMounts: "cannot make the mounts private"
            case .raisingLoopback: "cannot bring up the loopback interface"
            case .executing: "cannot execute the program again"
            case .alreadyDone: "permission denied even inside a new user namespace"
            }
        return "\(step): \(SystemCallError.text(of: errno)); to fix it, \(fix)"
    }
}

/// The command that allows user namespaces, depending on the setting that forbids them on this machine.
enum UserNamespaceFix {
    static var command: String {
        if read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1" {
            return "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
        }
        if read("/proc/sys/kernel/unprivileged_userns_clone") == "0" {
            return "sysctl -w kernel.unprivileged_userns_clone=1"
        }
        if read("/proc/sys/user/max_user_namespaces") == "0" { return "sysctl -w user.max_user_namespaces=10000" }
        return "run as root (in a container: docker run --privileged, or --cap-add SYS_ADMIN --cap-add NET_ADMIN"
            + " --security-opt seccomp=unconfined --security-opt apparmor=unconfined)"
    }

    static func read(_ path: String) -> String? {
        let raw = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { return nil }
        let file = OwnedDescriptor(adopting: raw)
        guard let bytes = try? file.receive(upTo: 4096) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }
}
