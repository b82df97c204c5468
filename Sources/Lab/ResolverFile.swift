import Foundation
import InternetAddresses
import LabKernel
import LinkEngines
import ScenarioLanguage

/// The client's `/etc/resolv.conf`. It is rewritten while the program runs, as DHCP clients do when the network
/// changes.
struct ResolverFile {
    static let path = "/etc/resolv.conf"

    private let plan: ResolverPlan
    private var nameServers: [IPAddress]

    init(plan: ResolverPlan, nameServers: [IPAddress]) {
        self.plan = plan
        self.nameServers = nameServers
    }

    /// The present contents of the file.
    var text: String { ResolverFile.text(plan, nameServers) }

    private static func text(_ plan: ResolverPlan, _ nameServers: [IPAddress]) -> String {
        let servers =
            switch plan.servers {
            case .ofInterfaces: nameServers.map(\.description)
            case .fixed(let list): list
            }
        var text = servers.map { "nameserver \($0)\n" }.joined()
        if !plan.search.isEmpty { text += "search \(plan.search.joined(separator: " "))\n" }
        let options = [
            plan.timeoutSeconds.map { "timeout:\($0)" }, plan.attempts.map { "attempts:\($0)" },
            plan.dots.map { "ndots:\($0)" },
        ].compactMap(\.self)
        if !options.isEmpty { text += "options \(options.joined(separator: " "))\n" }
        return text
    }

    /// Writes these name servers for the running program. Returns a description of them, or nil when nothing has
    /// changed.
    mutating func setNameServers(_ servers: [IPAddress], for process: SpawnedProcess) throws(LabError) -> String? {
        let before = text
        let after = ResolverFile.text(plan, servers)
        nameServers = servers
        guard after != before else { return nil }
        do {
            try ResolverFile.rewrite(ResolverFile.place(below: process.fileSystemRoot), with: after)
        } catch {
            // The program has ended, and its file no longer exists.
            guard FileManager.default.fileExists(atPath: process.fileSystemRoot) else { return nil }
            throw .failed("the program's \(ResolverFile.path) cannot be rewritten: \(error.localizedDescription)")
        }
        return servers.isEmpty ? "no name server" : "name servers \(servers.map(\.description).joined(separator: " "))"
    }

    /// Returns the path of the file itself. An absolute symbolic link followed from outside would lead into the host's
    /// file system.
    private static func place(below root: String) -> String {
        var path = ResolverFile.path
        for _ in 0..<40 {
            guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: root + path) else { break }
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
            path = link.hasPrefix("/") ? link : "\(folder)/\(link)"
        }
        return root + path
    }

    /// Rewrites the file in place, because a bind mount keeps to its inode. A single write that is at least as long as
    /// the old contents comes first, then the truncation: a concurrent reader finds empty lines at the end, never a
    /// fragment of an old line.
    static func rewrite(_ path: String, with text: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let old = try file.seekToEnd()
        let new = [UInt8](text.utf8)
        try file.seek(toOffset: 0)
        try file.write(contentsOf: new + [UInt8](repeating: 0x0a, count: max(0, Int(clamping: old) - new.count)))
        try file.truncate(atOffset: UInt64(new.count))
    }
}
