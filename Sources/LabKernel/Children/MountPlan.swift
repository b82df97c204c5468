import Glibc

/// The mounts and files that a child prepares for itself. They are computed before the fork; the child only executes
/// the list.
struct MountPlan: Equatable {
    enum Step: Equatable {
        case emptyDirectory(String)
        case makeDirectory(String)
        case write(String, [UInt8])
        case bind(String, onto: String)
        case detach(String)
        case processes(String)
        case devices(String)

        var path: String {
            switch self {
            case .emptyDirectory(let path), .makeDirectory(let path), .write(let path, _), .bind(_, onto: let path),
                .detach(let path), .processes(let path), .devices(let path):
                path
            }
        }
    }

    private(set) var steps: [Step] = []
    /// Overlays whose target does not exist.
    private(set) var skipped: [String] = []
    /// Directories that the plan has replaced with a private tmpfs.
    private var own: [String] = []

    /// Possible mount points for a temporary tmpfs while the files are created. It is unmounted before the program
    /// starts.
    private static let scratchCandidates = ["/mnt", "/media", "/srv", "/opt", "/tmp", "/run"]

    /// Computes the plan. `resolve` returns the path without symbolic links of an existing file, otherwise nil;
    /// `follow` returns the target of a path even if it does not exist.
    init(
        _ overlays: [SpawnRequest.Overlay], separateNetwork: Bool, resolve: (String) -> String?,
        follow: (String) -> String
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
        for case .hidden(let path) in overlays { empty(path, resolve) }
        for case .directory(let path, let files) in overlays {
            guard let place = empty(path, resolve) else {
                skipped.append(path)
                continue
            }
            for (name, contents) in files.sorted(by: { $0.key < $1.key }) {
                write("\(place)/\(name)", contents, below: place)
            }
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
        bindAll(binds, resolve)
        steps.append(.processes("/proc"))
        // A /sys of the new network namespace would only hide what is mounted below it.
        if separateNetwork { steps.append(.devices("/sys")) }
    }

    @discardableResult
    private mutating func empty(_ path: String, _ resolve: (String) -> String?) -> String? {
        guard let place = resolve(path) else { return nil }
        // A directory below one that is already empty has nothing to hide and cannot be a mount point.
        if let outer = own.first(where: { Self.contains($0, place) }) {
            if outer != place { makeDirectories(to: place, below: outer) }
            return place
        }
        steps.append(.emptyDirectory(place))
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
