import Testing
@testable import LabKernel
@testable import NetworkMonitor

struct MountPlanTests {
    /// A file system in which exactly these paths exist; links lead elsewhere.
    private func plan(
        _ overlays: [SpawnRequest.Overlay], existing: Set<String>, links: [String: String] = [:]
    ) -> MountPlan {
        MountPlan(
            overlays, separateNetwork: false,
            resolve: { path in
                let target = links[path] ?? path
                return existing.contains(target) ? target : nil
            }, follow: { links[$0] ?? $0 })
    }

    @Test func `a file is written in a scratch mount, bound to its path, and the scratch mount is removed`() {
        let plan = plan([.file(path: "/etc/hosts", contents: [1])], existing: ["/etc/hosts", "/mnt"])
        #expect(
            plan.steps == [
                .emptyDirectory("/mnt"), .write("/mnt/0", [1]), .bind("/mnt/0", onto: "/etc/hosts"), .detach("/mnt"),
                .processes("/proc"),
            ])
    }

    @Test func `a link into a hidden directory becomes a new file there`() {
        let plan = plan(
            [.hidden(path: "/run/resolve"), .file(path: "/etc/resolv.conf", contents: [1])],
            existing: ["/run/resolve", "/run/resolve/a/stub.conf", "/mnt"],
            links: ["/etc/resolv.conf": "/run/resolve/a/stub.conf"])
        #expect(
            plan.steps == [
                .emptyDirectory("/run/resolve"), .makeDirectory("/run/resolve/a"),
                .write("/run/resolve/a/stub.conf", [1]),
                .processes("/proc"),
            ])
    }

    /// A mount of /sys would hide what is mounted below it before.
    @Test func `a directory of sys is replaced after sys itself`() {
        let plan = MountPlan(
            [.device(path: "/sys/class/power", files: ["AC/online": [49]]), .device(path: "/sys/none", files: [:])],
            separateNetwork: true, resolve: { $0 == "/sys/class/power" ? $0 : nil }, follow: { $0 })
        #expect(
            plan.steps == [
                .processes("/proc"), .devices("/sys"), .emptyDirectory("/sys/class/power"),
                .makeDirectory("/sys/class/power/AC"), .write("/sys/class/power/AC/online", [49]),
            ])
        #expect(plan.skipped == ["/sys/none"])
    }

    @Test func `a missing target is skipped and listed`() {
        let plan = plan(
            [
                .file(path: "/etc/none", contents: []), .directory(path: "/etc/nowhere", files: [:]),
                .hidden(path: "/run/no"),
            ],
            existing: ["/mnt"])
        #expect(plan.steps == [.processes("/proc")])
        #expect(plan.skipped == ["/etc/nowhere", "/etc/none"])
    }

    /// The source would be empty after its folder is hidden; the directory of the target is mounted once.
    @Test func `a socket is bound before its folder is hidden`() {
        let plan = plan(
            [
                .hidden(path: "/run/labs"), .directory(path: "/mnt", files: ["f": [2]]),
                .bound(path: "/mnt/lab.socket", source: "/run/labs/7.socket"),
                .bound(path: "/mnt/none", source: "/run/labs/8.socket"),
            ], existing: ["/run/labs", "/run/labs/7.socket", "/mnt"])
        #expect(
            plan.steps == [
                .emptyDirectory("/mnt"), .write("/mnt/lab.socket", []),
                .bind("/run/labs/7.socket", onto: "/mnt/lab.socket"), .emptyDirectory("/run/labs"),
                .write("/mnt/f", [2]),
                .processes("/proc"),
            ])
        #expect(plan.skipped == ["/mnt/none"])
    }

    @Test func `the scratch mount never covers a target`() {
        let plan = plan([.file(path: "/mnt/ca.pem", contents: [1])], existing: ["/mnt", "/mnt/ca.pem", "/media"])
        #expect(plan.steps.first == .emptyDirectory("/media"))
    }

    @Test func `a directory inside a hidden one is not mounted a second time`() {
        let plan = plan(
            [
                .hidden(path: "/run/nscd"), .hidden(path: "/var/run/nscd"),
                .directory(path: "/run/nscd/x", files: ["f": [2]]),
            ],
            existing: ["/run/nscd", "/run/nscd/x"], links: ["/var/run/nscd": "/run/nscd"])
        #expect(
            plan.steps == [
                .emptyDirectory("/run/nscd"), .makeDirectory("/run/nscd/x"), .write("/run/nscd/x/f", [2]),
                .processes("/proc"),
            ])
    }

    @Test func `a kept directory below a hidden one is bound away and back`() {
        let plan = plan(
            [.hidden(path: "/run"), .kept(path: "/run/user/work")],
            existing: ["/run", "/run/user/work", "/mnt"])
        #expect(
            plan.steps == [
                .emptyDirectory("/mnt"), .makeDirectory("/mnt/0"), .bindTree("/run/user/work", onto: "/mnt/0"),
                .emptyDirectory("/run"), .makeDirectory("/run/user"), .makeDirectory("/run/user/work"),
                .bindTree("/mnt/0", onto: "/run/user/work"), .detach("/mnt"), .processes("/proc"),
            ])
    }

    /// The scratch mount would be covered by the directory that the lab puts there.
    @Test func `the place for kept directories is not one that is emptied`() {
        let plan = plan(
            [.directory(path: "/mnt", files: [:]), .kept(path: "/mnt/project")],
            existing: ["/mnt", "/mnt/project", "/media"])
        #expect(plan.steps.first == .emptyDirectory("/media"))
        #expect(plan.steps.contains(.bindTree("/media/0", onto: "/mnt/project")))
    }

    @Test func `a read-only directory leaves out the kept ones, and is skipped inside another`() {
        let plan = plan(
            [.readOnly(path: "/usr"), .readOnly(path: "/bin"), .readOnly(path: "/root"), .kept(path: "/root")],
            existing: ["/usr", "/usr/bin", "/root"], links: ["/bin": "/usr/bin"])
        #expect(plan.steps == [.seal("/usr"), .processes("/proc")])
        let within = self.plan(
            [.readOnly(path: "/var"), .kept(path: "/var/tmp")], existing: ["/var", "/var/tmp"])
        #expect(within.steps == [.bindTree("/var/tmp", onto: "/var/tmp"), .seal("/var"), .processes("/proc")])
    }

    @Test func `a link is made only in a directory that is replaced`() {
        let plan = plan(
            [.hidden(path: "/run"), .link(path: "/run/current", to: "/nix/x"), .link(path: "/etc/x", to: "/y")],
            existing: ["/run"])
        #expect(plan.steps == [.emptyDirectory("/run"), .link("/run/current", to: "/nix/x"), .processes("/proc")])
        #expect(plan.skipped == ["/etc/x"])
    }
}
