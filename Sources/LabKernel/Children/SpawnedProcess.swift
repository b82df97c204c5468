import CLabKernel
import Glibc
package import NetworkMonitor
import Synchronization

/// A program in its own namespaces, which cannot outlive this process and takes everything it started with it when it
/// ends.
///
/// It is the second process of its own process namespace. The first one prepares its mounts, reports its exit status,
/// and dies with this process (even by kill -9); when the first process ends, the kernel kills all others.
package final class SpawnedProcess: Sendable {
    /// Overlays that were skipped because their path does not exist.
    package let skippedOverlays: [String]
    /// Parts of the isolation that this machine does not permit, as sentences. The program runs without them.
    package let weaknesses: [String]
    private let group: ControlGroup?

    private let request: SpawnRequest
    private let first: pid_t
    package var firstProcess: Int32 { first }
    private let control: OwnedDescriptor
    /// A pidfd of the first process: readable when it and all others are gone.
    private let ended: OwnedDescriptor
    private let foreground: Foreground?
    private let streams: Mutex<StreamEnds>
    /// The program's process id in its own namespace, which differs from those of its orphans there.
    private let inside: Mutex<Int32>
    private let status = Mutex<ExitStatus?>(nil)
    private let limitsAtEnd = Mutex<[ReachedLimit]?>(nil)

    /// Starts the program; returns once it has been executed.
    package static func start(_ request: SpawnRequest) throws(SpawnError) -> SpawnedProcess {
        // A write to a program that has closed its standard input must fail with EPIPE, not kill this process.
        Glibc.signal(SIGPIPE, SIG_IGN)
        let program = try ProgramSearch.find(request.program, path: request.environment["PATH"])
        let mounts = MountPlan(
            request.overlays, separateNetwork: request.namespace != nil,
            confinement: request.confinement.map { _ in
                MountPlan.Confinement(terminal: request.streams == .inherited ? TerminalPath.ofStandardInput : nil)
            }, resolve: RealPath.resolve, follow: RealPath.follow)
        let launched: Launch
        do throws(SystemCallError) {
            launched = try Launch.perform(request, program, mounts)
        } catch {
            throw error.call.hasPrefix("clone") ? .namespaces(error) : .system(error)
        }
        var report = cw_spawn_report()
        let received = launched.control.withRaw { unsafe cw_control_receive($0, &report) }
        guard received == 1, report.message == CW_STARTED.rawValue else {
            _ = cw_kill(launched.first, SIGKILL)
            _ = cw_reap(launched.first)
            throw received == 1 ? Self.failure(report, request, program, mounts) : .endedEarly
        }
        let weaknesses = request.confinement == nil ? [] : Self.weaknesses(report.status)
        return SpawnedProcess(
            launched, request, inside: report.index, skipped: mounts.skipped, weaknesses: weaknesses)
    }

    private init(
        _ launched: consuming Launch, _ request: SpawnRequest, inside: Int32, skipped: [String], weaknesses: [String]
    ) {
        self.request = request
        self.inside = Mutex(inside)
        skippedOverlays = skipped
        self.weaknesses = weaknesses
        group = launched.group
        first = launched.first
        control = launched.control
        ended = launched.ended
        foreground = launched.foreground
        streams = Mutex(launched.streams)
    }

    /// The program's file system as seen from outside while it runs; the first process has the same mounts.
    package var fileSystemRoot: String { "/proc/\(first)/root" }

    deinit {
        guard status.withLock({ $0 == nil }) else { return }
        _ = cw_kill(first, SIGKILL)
        _ = cw_reap(first)
        group?.remove()
        foreground?.restoreForeground()
    }

    private static func weaknesses(_ found: Int32) -> [String] {
        let all: [(cw_spawn_weakness, String)] = [
            (CW_WEAK_PROC, "a /proc of its own, so the program sees the processes outside"),
            (CW_WEAK_SYS, "a /sys of its own, so the program sees the interfaces outside"),
            (CW_WEAK_SEAL, "read-only mounts, so the program can change settings of the machine"),
            (CW_WEAK_DEVICES, "a /dev of its own, so the program sees the devices of the machine"),
        ]
        return all.filter { UInt32(bitPattern: found) & $0.0.rawValue != 0 }.map {
            "this machine does not permit \($0.1)"
        }
    }

    private static func failure(
        _ report: cw_spawn_report, _ request: SpawnRequest, _ program: String, _ mounts: MountPlan
    ) -> SpawnError {
        func cause(_ call: String, _ context: String? = nil) -> SystemCallError {
            SystemCallError(call: call, errno: report.error, context: context)
        }
        switch cw_spawn_stage(UInt32(report.stage)) {
        case CW_STAGE_NETWORK: return .network(cause("setns"))
        case CW_STAGE_STEP:
            let path = mounts.steps[Int(report.index)].path
            return .mount(path: path, cause("mount", path))
        case CW_STAGE_CONFINE: return .confinement(cause("capset"))
        case CW_STAGE_GROUP: return .confinement(cause("write", "cgroup.procs"))
        case CW_STAGE_DIRECTORY: return .workingDirectory(cause("chdir", request.workingDirectory))
        case CW_STAGE_EXEC: return .execution(cause("execve", program))
        case CW_STAGE_STDIO: return .system(cause("dup2"))
        case CW_STAGE_PRIVATE_MOUNTS: return .namespaces(cause("mount(MS_PRIVATE)", "/"))
        default: return .namespaces(cause("clone"))
        }
    }

    // MARK: Streams

    /// Returns the writing end of the program's standard input, once. Closing it is end-of-file for the program.
    package func releaseStandardInput() -> OwnedDescriptor? { streams.withLock { $0.input.take() } }
    /// Returns the reading end of the program's standard output, once.
    package func releaseStandardOutput() -> OwnedDescriptor? { streams.withLock { $0.output.take() } }
    /// Returns the reading end of the program's standard error, once.
    package func releaseStandardError() -> OwnedDescriptor? { streams.withLock { $0.error.take() } }

    // MARK: A program that is started again

    /// Starts the program of a restartable request again, among the files and processes that the earlier one left.
    /// `receiveEnd` must have returned its status. The streams can be taken again.
    package func startAgain() throws(SpawnError) {
        var report = cw_spawn_report()
        let sent = streams.withLock { ours in
            Result { () throws(SystemCallError) in
                var theirs = StreamEnds()
                try Self.connect(&ours, &theirs)
                let sent = control.withRaw { control in
                    cw_control_send_start(
                        control, theirs.input?.withRaw { $0 } ?? -1, theirs.output?.withRaw { $0 } ?? -1,
                        theirs.error?.withRaw { $0 } ?? -1)
                }
                extendLifetime(theirs)
                try SystemCallError.check(sent, "sendmsg")
            }
        }
        if case .failure(let error) = sent { throw .system(error) }
        let received = control.withRaw { unsafe cw_control_receive($0, &report) }
        guard received == 1, report.message == CW_STARTED.rawValue else { throw .endedEarly }
        inside.withLock { $0 = report.index }
    }

    /// The program's process id in its own namespace.
    var identifierInside: Int32 { inside.withLock { $0 } }

    /// Returns the status of the program of a restartable request, which has ended: `makeExitDescriptor` is readable.
    package func receiveEnd() -> ExitStatus { readStatus() }

    // MARK: The end

    /// Returns a descriptor that becomes and stays readable when the program and everything it started are gone; for a
    /// restartable request when the program has ended.
    package func makeExitDescriptor() throws(SystemCallError) -> OwnedDescriptor {
        try request.isRestartable ? control.duplicate() : ended.duplicate()
    }

    /// Returns a descriptor that is readable while there is an interrupt to take, and from the program's end on.
    package func makeInterruptDescriptor() throws(SystemCallError) -> OwnedDescriptor { try control.duplicate() }

    /// Takes the report of one Ctrl-C at the terminal; returns false if there is none.
    package func takeInterrupt() -> Bool { control.withRaw { cw_control_take_interrupt($0) } == 1 }

    /// Sends a signal to the program's process group. Does nothing if it has ended.
    package func signal(_ number: CInt) {
        control.withRaw { _ = cw_control_send_signal($0, number) }
    }

    /// Kills the program and everything it started. The status is then signal 9, unless it has already ended.
    ///
    /// The signal goes to the first process, which the kernel then ends together with its process namespace: a request to it would wait
    /// without end if it is stopped.
    package func kill() { ended.withRaw { _ = cw_pidfd_send_signal($0, SIGKILL) } }

    /// True while the first process is stopped, by a signal from outside or a debugger. It then does not notice the program's end.
    package var isInitStopped: Bool {
        // The name in parentheses may contain anything; the state follows the last of them.
        guard let text = ProcFile.text(of: "/proc/\(first)/stat"), let end = text.lastIndex(of: ")") else {
            return false
        }
        let state = text[end...].dropFirst(2).first
        return state == "T" || state == "t"
    }

    /// The resources that the program uses now; nil where a control group enforces the limits.
    package var watchedUsage: ResourceUsage? {
        guard group == nil else { return nil }
        var usage = ResourceUsage()
        usage.add(childrenOf: first)
        return usage
    }

    /// The limits that the program has reached. Complete after `wait` has returned a status.
    package var reachedLimits: [ReachedLimit] { limitsAtEnd.withLock { $0 } ?? group?.reached ?? [] }

    /// Stops the program's process group until `resume`.
    package func suspend() { signal(SIGSTOP) }

    package func resume() { signal(SIGCONT) }

    /// Sends SIGTERM, and SIGKILL if the program is still running after `grace` nanoseconds.
    @discardableResult
    package func terminate(grace: Int64 = 2_000_000_000) throws(SystemCallError) -> ExitStatus? {
        signal(SIGTERM)
        if let status = try wait(until: MonotonicClock.deadline(after: grace)) { return status }
        kill()
        return try wait(until: MonotonicClock.deadline(after: 10_000_000_000))
    }

    /// Waits until the program and everything it started are gone. Returns nil if `deadline` comes first.
    package func wait(until deadline: Int64 = MonotonicClock.never) throws(SystemCallError) -> ExitStatus? {
        let ready = try ended.withRaw { raw throws(SystemCallError) in
            try Poller.wait(for: raw, .readable, until: deadline)
        }
        if ready.isEmpty { return nil }
        return status.withLock { known in
            if let known { return known }
            let found = readStatus()
            known = found
            _ = cw_reap(first)
            if let group {
                limitsAtEnd.withLock { $0 = group.reached }
                group.remove()
            }
            foreground?.restoreForeground()
            return found
        }
    }

    /// Makes the program's three pipes.
    fileprivate static func connect(_ ours: inout StreamEnds, _ theirs: inout StreamEnds) throws(SystemCallError) {
        try DescriptorPair.pipe().split(&theirs.input, &ours.input)
        try DescriptorPair.pipe().split(&ours.output, &theirs.output)
        try DescriptorPair.pipe().split(&ours.error, &theirs.error)
    }

    private func readStatus() -> ExitStatus {
        var report = cw_spawn_report()
        var received: CInt
        repeat {
            received = control.withRaw { unsafe cw_control_receive($0, &report) }
        } while received == 1 && report.message == CW_INTERRUPTED.rawValue
        // Without a report, the first process itself was killed, and the program with it.
        guard received == 1, report.message == CW_ENDED.rawValue else { return .signalled(SIGKILL, coreDumped: false) }
        return ExitStatus(waitStatus: report.status)
    }
}

/// Our ends of the program's three pipes.
struct StreamEnds: ~Copyable, Sendable {
    var input: OwnedDescriptor?
    var output: OwnedDescriptor?
    var error: OwnedDescriptor?
}

/// The terminal whose foreground group is the program.
struct Foreground: Sendable {
    let terminal: CInt

    func restoreForeground() { _ = cw_set_terminal_foreground(terminal) }
}

/// The first process just after the fork.
private struct Launch: ~Copyable {
    let first: pid_t
    let control: OwnedDescriptor
    let ended: OwnedDescriptor
    let foreground: Foreground?
    let streams: StreamEnds
    let group: ControlGroup?

    static func perform(
        _ request: SpawnRequest, _ program: String, _ mounts: MountPlan
    ) throws(SystemCallError) -> Launch {
        let plan = try SpawnPlan.make(program: program, request, mounts)
        var ours = StreamEnds()
        var theirs = StreamEnds()
        var foreground: Foreground?
        switch request.streams {
        case .pipes: try SpawnedProcess.connect(&ours, &theirs)
        case .inherited:
            if cw_owns_terminal(STDIN_FILENO) == 1 {
                foreground = Foreground(terminal: STDIN_FILENO)
                plan.setForeground(of: STDIN_FILENO, reportsInterrupts: request.reportsInterrupts)
            }
        }
        let control = try DescriptorPair.control()
        let network = try networkDescriptor(request.namespace)
        plan.setDescriptors(
            theirs.input?.withRaw { $0 } ?? STDIN_FILENO, theirs.output?.withRaw { $0 } ?? STDOUT_FILENO,
            theirs.error?.withRaw { $0 } ?? STDERR_FILENO, network: network.withRaw { $0 },
            control: control.writing.withRaw { $0 })
        let group = request.confinement.flatMap { ControlGroup.make($0.limits) }
        let members = try group?.openMembers()
        plan.setGroup(members?.withRaw { $0 } ?? -1)
        let result = Result { () throws(SystemCallError) in try Spawner.clone(plan) }
        // The plan contains only descriptor numbers: an optimised build could otherwise close descriptors after their
        // last visible use.
        extendLifetime(theirs)
        extendLifetime(control)
        extendLifetime(network)
        extendLifetime(plan)
        extendLifetime(members)
        let first = try result.get()
        let ended: OwnedDescriptor
        do throws(SystemCallError) {
            ended = try SystemCallError.descriptor(cw_pidfd_open(first), "pidfd_open")
        } catch {
            _ = cw_kill(first, SIGKILL)
            _ = cw_reap(first)
            throw error
        }
        return Launch(
            first: first, control: control.reading, ended: ended, foreground: foreground, streams: ours,
            group: group)
    }

    /// Returns a descriptor of the namespace to enter. The child always enters one, because the forking thread may be
    /// in a different namespace than the caller.
    private static func networkDescriptor(_ namespace: NetworkNamespace?) throws(SystemCallError) -> OwnedDescriptor {
        if let namespace {
            return try namespace.withRaw { raw throws(SystemCallError) -> OwnedDescriptor in
                let copy = fcntl(raw, F_DUPFD_CLOEXEC, 3).orErrno
                return try SystemCallError.descriptor(copy, "fcntl(F_DUPFD_CLOEXEC)")
            }
        }
        let path = "/proc/thread-self/ns/net"
        return try SystemCallError.descriptor(unsafe open(path, O_RDONLY | O_CLOEXEC).orErrno, "open", path)
    }
}

/// The terminal by its path.
private enum TerminalPath {
    static var ofStandardInput: String? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        return RealPath.resolve("/proc/self/fd/0")
    }
}

/// Two descriptors created by one call.
private struct DescriptorPair: ~Copyable {
    let reading: OwnedDescriptor
    let writing: OwnedDescriptor

    static func pipe() throws(SystemCallError) -> DescriptorPair {
        try unsafe make("pipe2") { unsafe cw_pipe($0) }
    }

    /// Creates the control sockets; the first end is ours.
    static func control() throws(SystemCallError) -> DescriptorPair {
        try unsafe make("socketpair") { unsafe cw_control_pair($0) }
    }

    consuming func split(_ reading: inout OwnedDescriptor?, _ writing: inout OwnedDescriptor?) {
        let first = self.reading
        let second = self.writing
        reading = consume first
        writing = consume second
    }

    private static func make(
        _ name: String, _ call: (UnsafeMutablePointer<CInt>) -> CInt
    ) throws(SystemCallError) -> DescriptorPair {
        var pair: [CInt] = [-1, -1]
        try SystemCallError.check(unsafe call(&pair), name)
        return DescriptorPair(
            reading: OwnedDescriptor(adopting: pair[0]), writing: OwnedDescriptor(adopting: pair[1]))
    }
}

/// The kernel's counters of the program.
extension SpawnedProcess {
    /// The peak memory of the program so far, in bytes (`VmHWM`); nil if it has ended or the kernel does not list a
    /// process's children.
    package var peakMemory: Int64? {
        guard let program, let status = ProcFile.text(of: "/proc/\(program)/status"),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Int64($0)
            })
        else { return nil }
        return kibibytes * 1024
    }
}
