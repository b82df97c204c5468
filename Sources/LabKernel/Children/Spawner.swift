import CLabKernel
import Glibc
import NetworkMonitor
import Synchronization

/// The one thread that forks, for the lifetime of the process: a child requests to be killed when its parent ends
/// (PR_SET_PDEATHSIG), and for the kernel the parent is the *thread* that forked it.
enum Spawner {
    private static let thread = Mutex<NetworkNamespace?>(nil)

    static func clone(_ plan: borrowing SpawnPlan) throws(SystemCallError) -> pid_t {
        let home = try Result { () throws(SystemCallError) in try sharedThread() }.get()
        // The plan is only read, by a thread whose result we wait for.
        let pointer = unsafe plan.pointer
        return try home.perform { () throws(SystemCallError) in
            try SystemCallError.check(unsafe cw_spawn(pointer), "clone(CLONE_NEWPID | CLONE_NEWNS)")
        }
    }

    private static func sharedThread() throws(SystemCallError) -> NetworkNamespace {
        let result: Result<NetworkNamespace, SystemCallError> = thread.withLock { thread in
            if let made = thread { return .success(made) }
            return Result { () throws(SystemCallError) in
                // Not the caller's namespace: this thread would keep a lab's namespace alive permanently.
                let made = try NetworkNamespace.ofProcess()
                thread = made
                return made
            }
        }
        return try result.get()
    }
}

/// The input of the C function that starts one program, in memory that does not move.
@safe struct SpawnPlan: ~Copyable {
    fileprivate let pointer: OpaquePointer

    static func make(
        program: String, _ request: SpawnRequest, _ mounts: MountPlan
    ) throws(SystemCallError) -> SpawnPlan {
        guard let pointer = unsafe cw_spawn_plan_make(program) else { throw noMemory }
        let plan = unsafe SpawnPlan(pointer: pointer)
        var result: CInt = 0
        for argument in [request.program] + request.arguments {
            result = min(result, unsafe cw_spawn_plan_add_argument(pointer, argument))
        }
        for (name, value) in request.environment.sorted(by: { $0.key < $1.key }) {
            result = min(result, unsafe cw_spawn_plan_add_variable(pointer, "\(name)=\(value)"))
        }
        for step in mounts.steps { result = min(result, plan.add(step)) }
        unsafe cw_spawn_plan_set_niceness(pointer, CInt(request.niceness))
        if let directory = request.workingDirectory ?? (request.confinement == nil ? nil : RealPath.resolve(".")) {
            // By its path, even if it is ours: the inherited one could lie below a mount that hides it.
            result = min(result, unsafe cw_spawn_plan_set_directory(pointer, directory))
        }
        if let confinement = request.confinement {
            // Far enough above the limit that the caller, who sees the processes now and then, can report that it was exceeded.
            // RLIMIT_NPROC also counts the user's other processes.
            let most = confinement.limits.processes.map { UInt64($0) + 4096 } ?? 0
            unsafe cw_spawn_plan_confine(pointer, SpawnRequest.Confinement.capabilities, most)
        }
        if request.isRestartable { unsafe cw_spawn_plan_set_restartable(pointer) }
        if result < 0 { throw noMemory }
        return plan
    }

    private init(pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe cw_spawn_plan_free(pointer)
    }

    private static var noMemory: SystemCallError { SystemCallError(call: "malloc", errno: ENOMEM) }

    private borrowing func add(_ step: MountPlan.Step) -> CInt {
        func add(_ kind: cw_spawn_step, _ path: String, mode: UInt32 = 0) -> CInt {
            unsafe cw_spawn_plan_add_step(pointer, kind, path, nil, nil, 0, mode)
        }
        func addSource(_ kind: cw_spawn_step, _ path: String, _ source: String, _ bytes: [UInt8] = []) -> CInt {
            unsafe cw_spawn_plan_add_step(pointer, kind, path, source, bytes, bytes.count, 0)
        }
        return switch step {
        case .emptyDirectory(let path, let size): addSource(CW_STEP_TMPFS, path, "mode=0755,size=\(size)")
        case .makeDirectory(let path): add(CW_STEP_DIRECTORY, path, mode: 0o755)
        case .write(let path, let contents):
            unsafe cw_spawn_plan_add_step(pointer, CW_STEP_WRITE, path, nil, contents, contents.count, 0o644)
        case .bind(let source, onto: let path): addSource(CW_STEP_BIND, path, source)
        case .bindTree(let source, onto: let path): addSource(CW_STEP_BIND_TREE, path, source)
        case .link(let path, to: let target): addSource(CW_STEP_LINK, path, target)
        case .seal(let path): add(CW_STEP_SEAL, path)
        case .mask(let path): add(CW_STEP_MASK, path)
        case .detach(let path): add(CW_STEP_DETACH, path)
        case .processes(let path): add(CW_STEP_PROC, path)
        case .devices(let path): add(CW_STEP_SYSFS, path)
        case .privateDevices(let path, let scratch, let terminal):
            addSource(CW_STEP_DEVICES, path, scratch, terminal.map { Array($0.utf8) + [0] } ?? [])
        }
    }

    borrowing func setDescriptors(_ input: CInt, _ output: CInt, _ error: CInt, network: CInt, control: CInt) {
        unsafe cw_spawn_plan_set_descriptors(pointer, input, output, error, network, control)
    }

    /// Makes the program and everything that it starts members of a control group; -1 for none.
    borrowing func setGroup(_ members: CInt) {
        unsafe cw_spawn_plan_set_group(pointer, members)
    }

    borrowing func setForeground(of terminal: CInt, reportsInterrupts: Bool) {
        unsafe cw_spawn_plan_set_foreground(pointer, terminal, reportsInterrupts ? 1 : 0)
    }
}
