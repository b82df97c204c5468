import Glibc

/// The mounts and files that a child prepares for itself. They are computed before the fork; the child only executes
/// the list.
struct MountPlan: Equatable {
    enum Step: Equatable {
        /// A tmpfs; `size` is its limit in the form of tmpfs(5).
        case emptyDirectory(String, size: String = MountPlan.size)
        case makeDirectory(String)
        case write(String, [UInt8])
        case bind(String, onto: String)
        case bindTree(String, onto: String)
        case link(String, to: String)
        case seal(String)
        case mask(String)
        case detach(String)
        case processes(String)
        case devices(String)
        /// A /dev without disks, memory and other terminals, built on `scratch`. `terminal` is the program's.
        case privateDevices(String, scratch: String, terminal: String?)

        var path: String {
            switch self {
            case .emptyDirectory(let path, _), .makeDirectory(let path), .write(let path, _), .bind(_, onto: let path),
                .bindTree(_, onto: let path), .link(let path, _), .seal(let path), .mask(let path), .detach(let path),
                .processes(let path), .devices(let path), .privateDevices(let path, _, _):
                path
            }
        }
    }

    /// The isolation of a confined program.
    struct Confinement: Equatable {
        /// The path of the program's terminal, if it has one.
        var terminal: String?

        /// Files of /proc with which uid 0 can change the machine, also without capabilities: `core_pattern` names a program that the
        /// kernel starts outside, `sysrq-trigger` restarts the machine.
        static let sealed = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr"].map { "/proc/\($0)" }
        /// Files that show the machine or other processes' keys.
        static let masked = ["kcore", "keys", "key-users", "timer_list", "sched_debug"].map { "/proc/\($0)" }
    }

    /// The usual limit of a tmpfs, as a share of the machine's memory.
    static let size = "25%"

    private(set) var steps: [Step] = []
    /// Overlays whose target does not exist.
    private(set) var skipped: [String] = []
    /// Directories that the plan has replaced with a private tmpfs.
    private var own: [String] = []
    /// Directories that stay as they are, those of them that a hidden directory covers, and the mount that holds these meanwhile.
    private var kept: [String] = []
    private var covered: [String] = []
    private var scratch: String?

    /// Possible mount points for a temporary tmpfs while the files are created. It is unmounted before the program
    /// starts.
    private static let scratchCandidates = ["/mnt", "/media", "/srv", "/opt", "/tmp", "/run"]

    /// Computes the plan. `resolve` returns the path without symbolic links of an existing file, otherwise nil;
    /// `follow` returns the target of a path even if it does not exist.
    init(
        _ overlays: [SpawnRequest.Overlay], separateNetwork: Bool, confinement: Confinement? = nil,
        resolve: (String) -> String?, follow: (String) -> String
    ) {
        // First, while the sources are not hidden.
        for case .bound(let path, let source) in overlays {
            let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
            guard let source = resolve(source), let place = empty(directory, resolve) else {
                skipped.append(path)
                continue
            }
            let target = "\(place)/\(path.dropFirst(directory.utf8.count + 1))"
            write(target, [], below: place)
            steps.append(.bind(source, onto: target))
        }
        keep(overlays, resolve)
        for case .hidden(let path) in overlays { empty(path, resolve) }
        for case .directory(let path, let files, let size) in overlays {
            guard let place = empty(path, resolve, size: size ?? Self.size) else {
                skipped.append(path)
                continue
            }
            for (name, contents) in files.sorted(by: { $0.key < $1.key }) {
                write("\(place)/\(name)", contents, below: place)
            }
        }
        for case .link(let path, let target) in overlays {
            guard let place = own.first(where: { Self.contains($0, path) }) else {
                skipped.append(path)
                continue
            }
            if let slash = path.lastIndex(of: "/") { makeDirectories(to: String(path[..<slash]), below: place) }
            steps.append(.link(path, to: target))
        }
        var binds: [(contents: [UInt8], target: String)] = []
        for case .file(let path, let contents) in overlays {
            let target = resolve(path) ?? follow(path)
            if let place = own.first(where: { Self.contains($0, target) }) {
                // The original is hidden at this point (resolv.conf often points into /run), so create a new file.
                write(target, contents, below: place)
            } else if resolve(path) != nil {
                binds.append((contents, target))
            } else {
                skipped.append(path)
            }
        }
        restore()
        bindAll(binds, resolve)
        seal(overlays, resolve)
        steps.append(.processes("/proc"))
        // A /sys of the new network namespace would only hide what is mounted below it.
        if separateNetwork { steps.append(.devices("/sys")) }
        replaceDevices(overlays, resolve)
        guard let confinement else { return }
        steps += Confinement.sealed.map(Step.seal) + Confinement.masked.map(Step.mask)
        // A program that shares the network also shares /sys.
        if !separateNetwork { steps.append(.seal("/sys")) }
        if let scratch = Self.scratchCandidates.first(where: { resolve($0) == $0 }) {
            steps.append(.privateDevices("/dev", scratch: scratch, terminal: confinement.terminal))
        }
    }

    // MARK: Directories that stay

    /// Binds the kept directories below hidden ones to a place from which `restore` can take them.
    private mutating func keep(_ overlays: [SpawnRequest.Overlay], _ resolve: (String) -> String?) {
        var emptied: [String] = []
        for overlay in overlays {
            switch overlay {
            case .hidden(let path), .directory(let path, _, _): if let place = resolve(path) { emptied.append(place) }
            case .bound(let path, _):
                if let slash = path.lastIndex(of: "/"), let place = resolve(String(path[..<slash])) {
                    emptied.append(place)
                }
            case .file, .kept, .readOnly, .link, .device: break
            }
        }
        for case .kept(let path) in overlays {
            guard let place = resolve(path) else {
                skipped.append(path)
                continue
            }
            if !kept.contains(place) { kept.append(place) }
        }
        covered = kept.filter { place in emptied.contains { $0 != place && Self.contains($0, place) } }
        guard !covered.isEmpty else { return }
        scratch = Self.scratchCandidates.first { candidate in
            resolve(candidate) == candidate
                && !(covered + emptied).contains { Self.contains(candidate, $0) || Self.contains($0, candidate) }
        }
        guard let scratch else {
            skipped += covered
            covered = []
            return
        }
        steps.append(.emptyDirectory(scratch))
        for (number, place) in covered.enumerated() {
            steps += [.makeDirectory("\(scratch)/\(number)"), .bindTree(place, onto: "\(scratch)/\(number)")]
        }
    }

    private mutating func restore() {
        guard let scratch, !covered.isEmpty else { return }
        for (number, place) in covered.enumerated() {
            guard let outer = own.first(where: { Self.contains($0, place) }) else { continue }
            makeDirectories(to: place, below: outer)
            steps.append(.bindTree("\(scratch)/\(number)", onto: place))
        }
        steps.append(.detach(scratch))
    }

    /// Makes directories read-only, except for the kept ones below them.
    private mutating func seal(_ overlays: [SpawnRequest.Overlay], _ resolve: (String) -> String?) {
        var places: [String] = []
        for case .readOnly(let path) in overlays {
            // A kept directory that encloses it, or is the same, stays as it is.
            guard let place = resolve(path), !places.contains(where: { Self.contains($0, place) }),
                !kept.contains(where: { Self.contains($0, place) })
            else { continue }
            places.append(place)
        }
        for place in kept where places.contains(where: { Self.contains($0, place) }) && !covered.contains(place) {
            steps.append(.bindTree(place, onto: place))
        }
        steps += places.map(Step.seal)
    }

    /// Replaces directories of /sys; after /sys itself, which would hide them.
    private mutating func replaceDevices(_ overlays: [SpawnRequest.Overlay], _ resolve: (String) -> String?) {
        for case .device(let path, let files) in overlays {
            guard let place = empty(path, resolve) else {
                skipped.append(path)
                continue
            }
            for (name, contents) in files.sorted(by: { $0.key < $1.key }) {
                write("\(place)/\(name)", contents, below: place)
            }
        }
    }

    @discardableResult
    private mutating func empty(
        _ path: String, _ resolve: (String) -> String?, size: String = MountPlan.size
    ) -> String? {
        guard let place = resolve(path) else { return nil }
        // A directory below one that is already empty has nothing to hide and cannot be a mount point.
        if let outer = own.first(where: { Self.contains($0, place) }) {
            if outer != place { makeDirectories(to: place, below: outer) }
            return place
        }
        steps.append(.emptyDirectory(place, size: size))
        own.append(place)
        return place
    }

    private mutating func write(_ path: String, _ contents: [UInt8], below place: String) {
        if let slash = path.lastIndex(of: "/") { makeDirectories(to: String(path[..<slash]), below: place) }
        steps.append(.write(path, contents))
    }

    private mutating func makeDirectories(to path: String, below place: String) {
        guard path != place, Self.contains(place, path) else { return }
        var reached = place
        for part in path.dropFirst(place.count).split(separator: "/") {
            reached += "/\(part)"
            if !steps.contains(.makeDirectory(reached)) { steps.append(.makeDirectory(reached)) }
        }
    }

    private mutating func bindAll(_ binds: [(contents: [UInt8], target: String)], _ resolve: (String) -> String?) {
        guard !binds.isEmpty else { return }
        let scratch = Self.scratchCandidates.first { candidate in
            resolve(candidate) == candidate && !binds.contains { Self.contains(candidate, $0.target) }
        }
        guard let scratch else {
            skipped += binds.map(\.target)
            return
        }
        steps.append(.emptyDirectory(scratch))
        for (number, bind) in binds.enumerated() { steps.append(.write("\(scratch)/\(number)", bind.contents)) }
        for (number, bind) in binds.enumerated() { steps.append(.bind("\(scratch)/\(number)", onto: bind.target)) }
        steps.append(.detach(scratch))
    }

    static func contains(_ directory: String, _ path: String) -> Bool {
        path == directory || path.hasPrefix(directory == "/" ? "/" : directory + "/")
    }
}

/// Path lookups in the mount namespace that the child will copy.
enum RealPath {
    static func resolve(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// Follows symbolic links at the end of `path` until there are none left, even if the last one points to nothing.
    static func follow(_ path: String) -> String {
        var path = path
        for _ in 0..<40 {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = unsafe buffer.withUnsafeMutableBytes { buffer in
                unsafe readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
            }
            guard count > 0 else { break }
            let link = String(decoding: buffer.prefix(count), as: UTF8.self)
            let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
            path = normalise(link.hasPrefix("/") ? link : "\(directory)/\(link)")
        }
        // The directories on the path may be links as well.
        guard let slash = path.lastIndex(of: "/"), let directory = resolve(String(path[..<slash])) else { return path }
        return "\(directory == "/" ? "" : directory)\(path[slash...])"
    }

    private static func normalise(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
