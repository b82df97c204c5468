import CLinux
import Glibc

/// Running without root: the program becomes uid 0 of namespaces of its own.
package enum Rootless {
    /// Whether this process may make interfaces and mounts where it is.
    package static var mayAdminister: Bool { cw_may_administer() == 1 }

    /// Unless we may administer already, executes the program anew inside its own user, mount and network namespaces; exit
    /// status and signals are then simply its own. Returns when that was not needed.
    ///
    /// Call it first in `main`: the kernel refuses it to a process that has threads.
    package static func reenterIfNeeded() throws(RootlessError) {
        var stage: CInt = 0
        let result = unsafe cw_reenter_rootless(CommandLine.unsafeArgv, &stage)
        guard result < 0 else { return }
        throw RootlessError(stage: RootlessError.Stage(UInt32(stage)), errno: -result)
    }
}

/// Why the program cannot run without root here.
package struct RootlessError: Error, Equatable, Sendable {
    package enum Stage: Equatable, Sendable {
        case makingNamespaces
        case mappingUser
        case preparingMounts
        case raisingLoopback
        case executing
        /// It was done, and rights are missing all the same.
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

    package var mend: String {
        switch stage {
        case .makingNamespaces where errno == EINVAL: "this process has threads already: re-enter first in main"
        case .makingNamespaces where errno == ENOSPC: "sysctl -w user.max_user_namespaces=10000"
        case .makingNamespaces, .mappingUser, .preparingMounts, .raisingLoopback:
            UserNamespaceMend.command
        case .executing: "/proc must be mounted and the program's file must still be there"
        case .alreadyDone: "run as root; \(UserNamespaceMend.command)"
        }
    }
}

extension RootlessError: CustomStringConvertible {
    package var description: String {
        let step =
            switch stage {
            case .makingNamespaces: "this user may not make namespaces"
            case .mappingUser: "the user could not be mapped into its namespace"
            case .preparingMounts: "the mounts could not be made private"
            case .raisingLoopback: "the loopback interface could not be brought up"
            case .executing: "the program could not be executed again"
            case .alreadyDone: "the rights are missing even inside namespaces of our own"
            }
        return "\(step): \(SystemCallError.text(of: errno)); to mend it, \(mend)"
    }
}

/// The command that allows user namespaces, by what forbids them on this machine.
enum UserNamespaceMend {
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
