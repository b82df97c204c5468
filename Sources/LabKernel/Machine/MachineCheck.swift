import CLabKernel
import Glibc
import InternetAddresses
import NetworkMonitor

/// One requirement of a lab, checked by trying it on this machine.
package struct MachineCheck: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case ok(detail: String?)
        case missing(reason: String, fix: String)
    }

    package let name: String
    /// True if no lab can be set up without it; otherwise only some scenarios cannot run.
    package let isRequired: Bool
    package let outcome: Outcome

    package var isOK: Bool {
        switch outcome {
        case .ok: true
        case .missing: false
        }
    }
}

extension MachineCheck {
    /// Runs all checks; takes some milliseconds and leaves nothing behind.
    package static func all() -> [MachineCheck] {
        [
            kernelVersion(), userNamespaces(), networkNamespaces(), processNamespaces(), privateMounts(),
            virtualEthernet(),
            tun(), ipv6(),
            qdisc(
                "tbf", required: false,
                .tokenBucket(.init(bytesPerSecond: 125_000, burstBytes: 1600, queueBytes: 30_000))),
            qdisc("netem", required: false, .netem(.init(), bottleneck: nil)),
            openFiles(),
        ]
    }

    package static func kernelVersion() -> MachineCheck {
        var name = utsname()
        guard unsafe uname(&name) == 0 else {
            return missing("kernel", reason: "uname failed", fix: "use a Linux kernel of version 5.11 or later")
        }
        let release = unsafe withUnsafeBytes(of: &name.release) { bytes in
            String(decoding: unsafe Array(bytes).prefix { $0 != 0 }, as: UTF8.self)
        }
        let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        // pidfd_open 5.3, close_range 5.9, epoll_pwait2 5.11
        guard numbers.count == 2, (numbers[0], numbers[1]) >= (5, 11) else {
            return missing("kernel", reason: "Linux \(release) is too old", fix: "use Linux 5.11 or later")
        }
        return MachineCheck(name: "kernel", isRequired: true, outcome: .ok(detail: "Linux \(release)"))
    }

    package static func userNamespaces() -> MachineCheck {
        // Only processes without root need them.
        trial("user namespaces", CW_TRY_USER_NAMESPACE, required: !Rootless.mayAdminister) { _ in
            UserNamespaceFix.command
        }
    }

    package static func networkNamespaces() -> MachineCheck {
        trial("network namespaces", CW_TRY_NETWORK_NAMESPACE, required: true, fix: namespaceFix)
    }

    package static func processNamespaces() -> MachineCheck {
        trial("process namespaces", CW_TRY_PROCESS_NAMESPACE, required: true, fix: namespaceFix)
    }

    package static func privateMounts() -> MachineCheck {
        trial("private mounts", CW_TRY_MOUNT, required: true, fix: namespaceFix)
    }

    package static func virtualEthernet() -> MachineCheck {
        attempt("veth links", required: true, fix: "modprobe veth") { () throws(NetlinkError) in
            let namespace = try scratch()
            let netlink = try NetlinkSocket(in: namespace)
            try netlink.makeVirtualEthernetPair(name: "cw0", peerName: "cw1", peerIn: namespace)
        }
    }

    package static func tun() -> MachineCheck {
        attempt("TUN devices", required: false, fix: "modprobe tun && chmod 666 /dev/net/tun") {
            () throws(NetlinkError) in
            _ = try TunDevice.make("cw0", in: try scratch())
        }
    }

    package static func ipv6() -> MachineCheck {
        let fix = "boot without ipv6.disable=1, or modprobe ipv6"
        return attempt("IPv6", required: false, fix: fix) { () throws(NetlinkError) in
            let namespace = try scratch()
            do throws(SystemCallError) {
                _ = try namespace.bindUDP(on: SocketAddress(.loopbackV6, port: 0))
            } catch {
                throw .system(error)
            }
        }
    }

    package static func qdisc(_ kind: String, required: Bool, _ qdisc: EgressQdisc) -> MachineCheck {
        let fix = "modprobe sch_\(kind) (Debian, Ubuntu: in linux-modules-extra; Fedora: kernel-modules-extra)"
        return attempt("qdisc \(kind)", required: required, fix: fix) { () throws(NetlinkError) in
            try NetlinkSocket.tryKernel(qdisc)
        }
    }

    package static func openFiles() -> MachineCheck {
        var limit = rlimit()
        let read = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard read == 0, limit.rlim_cur >= 1024 else {
            return missing(
                "open files", required: false, reason: "only \(limit.rlim_cur) files may be open at a time",
                fix: "ulimit -n 65536")
        }
        return MachineCheck(name: "open files", isRequired: false, outcome: .ok(detail: "\(limit.rlim_cur)"))
    }

    // MARK: Trials

    private static func trial(
        _ name: String, _ trial: cw_trial, required: Bool, fix: (CInt) -> String
    ) -> MachineCheck {
        let result = cw_try(trial)
        guard result < 0 else { return MachineCheck(name: name, isRequired: required, outcome: .ok(detail: nil)) }
        return missing(name, required: required, reason: SystemCallError.text(of: -result), fix: fix(-result))
    }

    private static func namespaceFix(_ errno: CInt) -> String {
        SystemCallError(call: "unshare", errno: errno).fix
            ?? "run as root, or allow user namespaces: \(UserNamespaceFix.command)"
    }

    private static func attempt(
        _ name: String, required: Bool, fix: String, _ body: () throws(NetlinkError) -> Void
    ) -> MachineCheck {
        do throws(NetlinkError) {
            try body()
            return MachineCheck(name: name, isRequired: required, outcome: .ok(detail: nil))
        } catch {
            if case .system(let error) = error, let known = error.fix {
                return missing(name, required: required, reason: error.problem, fix: known)
            }
            return missing(name, required: required, reason: error.problem, fix: fix)
        }
    }

    private static func missing(_ name: String, required: Bool = true, reason: String, fix: String) -> MachineCheck {
        MachineCheck(name: name, isRequired: required, outcome: .missing(reason: reason, fix: fix))
    }

    private static func scratch() throws(NetlinkError) -> NetworkNamespace {
        do throws(SystemCallError) { return try NetworkNamespace.make() } catch { throw .system(error) }
    }
}
