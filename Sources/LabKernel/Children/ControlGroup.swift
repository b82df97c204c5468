import Glibc
import NetworkMonitor
import Synchronization

/// Limits of a confined program and everything that it starts; nil for none.
package struct ResourceLimits: Equatable, Sendable {
    /// Bytes of memory.
    package var memory: Int64?
    /// The number of processes and threads.
    package var processes: Int?

    package init(memory: Int64? = nil, processes: Int? = nil) {
        self.memory = memory
        self.processes = processes
    }

    /// Three quarters of the machine's memory, so that a leak ends the program and not the harness, and enough processes for a parallel
    /// build.
    package static var standard: ResourceLimits {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let size = sysconf(Int32(_SC_PAGESIZE))
        let (bytes, overflow) = Int64(pages).multipliedReportingOverflow(by: Int64(size))
        return ResourceLimits(memory: pages > 0 && size > 0 && !overflow ? bytes / 4 * 3 : nil, processes: 4096)
    }
}

/// A limit that a program reached.
package enum ReachedLimit: Equatable, Sendable {
    /// The kernel killed this number of its processes.
    case memory(limit: Int64, kills: Int)
    /// This number of attempts to start a process or thread failed.
    case processes(limit: Int, refusals: Int)
}

extension ReachedLimit: CustomStringConvertible {
    package var description: String {
        switch self {
        case .memory(let limit, let kills):
            "the program reached the lab's memory limit of \(limit >> 20) MiB, and the kernel killed \(kills) of its processes"
        case .processes(let limit, let refusals):
            "the program reached the lab's limit of \(limit) processes and threads: \(refusals) could not be started"
        }
    }
}

/// A control group (cgroups(7), version 2) for one program, removed after the program's end.
///
/// It is made where the controllers are enabled for children: in the group of this process or beside it. So the limits of outer groups
/// still apply. Where that is not writable there is none; `ResourceUsage` then watches the limits.
final class ControlGroup: Sendable {
    private let folder: String
    private let limits: ResourceLimits
    private let isRemoved = Mutex(false)

    private static let number = Mutex(0)
    private static let root = "/sys/fs/cgroup"

    static func make(_ limits: ResourceLimits) -> ControlGroup? {
        guard limits != ResourceLimits(), ProcFile.text(of: root + "/cgroup.controllers") != nil,
            let place = place(for: limits, own: ProcFile.text(of: "/proc/self/cgroup") ?? "", contents: ProcFile.text)
        else { return nil }
        removeAbandoned(in: place)
        let folder = "\(place)/crosswind-\(getpid())-\(number.withLock { $0 += 1; return $0 })"
        guard unsafe mkdir(folder, 0o755) == 0 else { return nil }
        let group = ControlGroup(folder: folder, limits: limits)
        if let memory = limits.memory, !write("\(memory)", to: folder + "/memory.max") { return nil }
        if let processes = limits.processes, !write("\(processes)", to: folder + "/pids.max") { return nil }
        return group
    }

    /// Returns the folder in which a group with these limits can be made: that of this process, or, because a group with processes
    /// cannot have children with controllers, the one around it. `own` is the contents of /proc/self/cgroup.
    static func place(for limits: ResourceLimits, own: String, contents: (String) -> String?) -> String? {
        guard let line = own.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
        let path = line.dropFirst(3)
        let here = path == "/" ? root : root + path
        let outer = path == "/" ? nil : here.lastIndex(of: "/").map { String(here[..<$0]) }
        let wanted = (limits.memory == nil ? [] : ["memory"]) + (limits.processes == nil ? [] : ["pids"])
        return [here, outer].compactMap(\.self).first { folder in
            let enabled = (contents(folder + "/cgroup.subtree_control") ?? "").split { $0 == " " || $0 == "\n" }
            return wanted.allSatisfy { enabled.contains(Substring($0)) }
        }
    }

    private init(folder: String, limits: ResourceLimits) {
        self.folder = folder
        self.limits = limits
    }

    deinit { remove() }

    /// Removes groups of processes that were killed; the kernel refuses it for one that has members.
    private static func removeAbandoned(in parent: String) {
        guard let directory = unsafe opendir(parent) else { return }
        defer { unsafe closedir(directory) }
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: unsafe Array(bytes).prefix { $0 != 0 }, as: UTF8.self)
            }
            let parts = name.split(separator: "-")
            guard parts.count == 3, parts[0] == "crosswind", let owner = Int32(parts[1]) else { continue }
            if isGone(owner) { _ = unsafe rmdir("\(parent)/\(name)") }
        }
    }

    private static func isGone(_ process: Int32) -> Bool { kill(process, 0) < 0 && errno == ESRCH }

    private static func write(_ text: String, to file: String) -> Bool {
        let raw = unsafe open(file, O_WRONLY | O_CLOEXEC)
        guard raw >= 0 else { return false }
        defer { close(raw) }
        let bytes = Array(text.utf8)
        return unsafe Glibc.write(raw, bytes, bytes.count) == bytes.count
    }

    /// Opens the file through which a process joins.
    func openMembers() throws(SystemCallError) -> OwnedDescriptor {
        let file = folder + "/cgroup.procs"
        return try SystemCallError.descriptor(unsafe open(file, O_WRONLY | O_CLOEXEC).orErrno, "open", file)
    }

    /// The limits that the members have reached so far.
    var reached: [ReachedLimit] {
        func count(_ word: String, _ file: String) -> Int {
            let lines = (ProcFile.text(of: "\(folder)/\(file)") ?? "").split(separator: "\n")
            let line = lines.map { $0.split(separator: " ") }.first { $0.count == 2 && $0[0] == word }
            return line.flatMap { Int($0[1]) } ?? 0
        }
        var found: [ReachedLimit] = []
        let kills = count("oom_kill", "memory.events")
        if kills > 0, let limit = limits.memory { found.append(.memory(limit: limit, kills: kills)) }
        let refusals = count("max", "pids.events")
        if refusals > 0, let limit = limits.processes { found.append(.processes(limit: limit, refusals: refusals)) }
        return found
    }

    /// Removes the group. All its members must have ended.
    func remove() {
        let isFirst = isRemoved.withLock { isRemoved in
            defer { isRemoved = true }
            return !isRemoved
        }
        if isFirst { _ = unsafe rmdir(folder) }
    }
}

/// The memory and tasks of a program and everything it started.
package struct ResourceUsage: Equatable, Sendable {
    /// Bytes that are its own: without the pages of files.
    package var memory: Int64 = 0
    /// The number of processes and threads.
    package var tasks = 0

    /// The first limit that is exceeded, as a sentence.
    package func excess(over limits: ResourceLimits) -> String? {
        if let limit = limits.memory, memory > limit {
            return "the program used \(memory >> 20) MiB of memory; the lab's limit is \(limit >> 20) MiB"
        }
        if let limit = limits.processes, tasks > limit {
            return "the program had \(tasks) processes and threads; the lab's limit is \(limit)"
        }
        return nil
    }

    /// Adds the processes below `process`. Orphans are adopted by the first process, so that none is missed.
    mutating func add(childrenOf process: Int32) {
        var pending = [process]
        while let parent = pending.popLast() {
            let children = ProcFile.text(of: "/proc/\(parent)/task/\(parent)/children") ?? ""
            for child in children.split(separator: " ").compactMap({ Int32($0) }) {
                add(status: ProcFile.text(of: "/proc/\(child)/status") ?? "")
                pending.append(child)
            }
        }
    }

    /// Adds a process by its `/proc/PID/status`.
    mutating func add(status: String) {
        for line in status.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count >= 2 else { continue }
            switch words[0] {
            case "RssAnon:", "RssShmem:": memory += (Int64(words[1]) ?? 0) * 1024
            case "Threads:": tasks += Int(words[1]) ?? 0
            default: break
            }
        }
    }
}
