import Foundation
import Testing

@testable import Harness

/// Killed at any moment, the program leaves nothing but its evidence folder: no process, namespace, interface, mount or
/// file.
@Suite(.serialized, .enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"))
struct NothingLeftBehindTests {
    /// A process and its namespaces.
    private struct Seen: Hashable {
        var pid: Int32
        var network: String
        var mounts: String
    }

    private static func link(_ path: String) -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? ""
    }

    /// Returns all processes; `start` is in seconds since the machine's start.
    private static func processes() -> [(pid: Int32, parent: Int32, start: Double)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { name in
            guard let pid = Int32(name), let stat = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                let rest = stat.split(separator: ")").last?.split(separator: " "), rest.count > 19,
                let parent = Int32(rest[1]), let ticks = Double(rest[19])
            else { return nil }
            return (pid, parent, ticks / 100)
        }
    }

    /// Returns a process and all its descendants.
    private static func descendants(of root: Int32) -> Set<Int32> {
        let all = processes()
        var found: Set<Int32> = [root]
        var grew = true
        while grew {
            let more = all.filter { found.contains($0.parent) && !found.contains($0.pid) }.map(\.pid)
            found.formUnion(more)
            grew = !more.isEmpty
        }
        return found
    }

    private static func family(of root: Int32) -> Set<Seen> {
        Set(
            descendants(of: root).map {
                Seen(pid: $0, network: link("/proc/\($0)/ns/net"), mounts: link("/proc/\($0)/ns/mnt"))
            })
    }

    /// Returns the remaining processes in the namespaces of these processes. The kernel reuses the numbers of
    /// namespaces, so processes started after `end` do not count, nor do the descendants of this process: an orphan of
    /// the program is not one of them.
    private static func remains(of family: Set<Seen>, startedBefore end: Double) -> [String] {
        let own = (network: link("/proc/self/ns/net"), mounts: link("/proc/self/ns/mnt"))
        let networks = Set(family.map(\.network)).subtracting([own.network, ""])
        let mounts = Set(family.map(\.mounts)).subtracting([own.mounts, ""])
        let others = descendants(of: getpid())
        return processes().compactMap { process in
            guard process.start < end, !others.contains(process.pid) else { return nil }
            let name = "process \(process.pid), \(lines("/proc/\(process.pid)/comm").first ?? "gone")"
            if networks.contains(link("/proc/\(process.pid)/ns/net")) { return "\(name), in a lab's network" }
            if mounts.contains(link("/proc/\(process.pid)/ns/mnt")) { return "\(name), in a lab's mounts" }
            return nil
        }
    }

    private static func lines(_ path: String) -> Set<Substring> {
        Set(((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n"))
    }

    private static func interfaces() -> Set<Substring> {
        Set(lines("/proc/net/dev").compactMap { $0.split(separator: ":").first })
    }

    /// Waits up to ten seconds, because the kernel removes namespaces asynchronously.
    private static func waitForNothing(of family: Set<Seen>, startedBefore gone: Double) -> [String] {
        let end = Date(timeIntervalSinceNow: 10)
        while Date() < end {
            if remains(of: family, startedBefore: gone).isEmpty { return [] }
            RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02))
        }
        return remains(of: family, startedBefore: gone)
    }

    private func check(signal number: Int32, after delay: TimeInterval, expecting status: Int32? = nil) throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        let mounts = Self.lines("/proc/self/mounts")
        let interfaces = Self.interfaces()
        let process = try program.start([
            "run", program.layout.folder + "/Scenarios/order", program.layout.folder + "/Scenarios/timing", "--adapter",
            "python",
            "--jobs", "16", "--out", program.folder + "/out",
        ])
        // The time of the signal is the subject of the test, so the test does not wait for an event.
        var family: Set<Seen> = []
        let strike = Date(timeIntervalSinceNow: delay)
        while Date() < strike {
            family.formUnion(Self.family(of: process.processIdentifier))
            RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02))
        }
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        let gone =
            try #require(Self.lines("/proc/uptime").first?.split(separator: " ").first.flatMap { Double($0) }) + 0.02
        if let status { #expect(process.terminationStatus == status) }
        // A busy machine may take a second to start.
        #expect(family.count > 1 || delay < 1.5, "the run had begun")
        #expect(Self.waitForNothing(of: family, startedBefore: gone) == [])
        #expect(Self.lines("/proc/self/mounts") == mounts)
        #expect(Self.interfaces() == interfaces)
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder + "/tmp") == [])
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: program.folder)).subtracting([
                "out", "tmp", "output", "errors",
            ])
                == [])
    }

    /// From before the first lab exists to the middle of the longest wait.
    @Test(arguments: [0.05, 0.2, 0.35, 0.5, 0.8, 1.1, 1.7, 2.6])
    func `a run killed at any time leaves nothing behind`(_ delay: Double) throws {
        try check(signal: SIGKILL, after: delay)
    }

    /// Stores and downloads of an implementation are in its private folder, which is removed with it.
    @Test(arguments: ["foundation", "adaptable", "python"])
    func `an implementation's stores leave nothing in the working folder or the home folder`(_ adapter: String) throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        let layout = program.folder + "/home"
        try FileManager.default.createDirectory(atPath: layout, withIntermediateDirectories: true)
        let scenarios = [
            "caching/own-cache-alone", "cookies/own-storage", "auth/stores-are-separate", "download/moved-file-stays",
        ]
        let ended = try program.run(
            ["run"] + scenarios.map { "\(program.layout.folder)/Scenarios/\($0).yaml" } + [
                "--adapter", adapter, "--out", program.folder + "/out",
            ],
            environment: ["HOME": layout])
        #expect(ended.status < 2, "\(ended.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: layout) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder + "/tmp") == [])
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: program.folder)) == [
                "out", "tmp", "output", "errors", "home",
            ])
    }

    @Test func `a run ended by Ctrl-C has status 130`() throws { try check(signal: SIGINT, after: 1.2, expecting: 130) }
}
