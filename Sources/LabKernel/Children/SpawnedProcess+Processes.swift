import CLabKernel
import Glibc

/// A process in the program's namespace.
package struct InnerProcess: Hashable, Sendable {
    /// As this process sees it.
    package var identifier: Int32
    /// As the program sees it.
    package var inside: Int32
    /// The process group, as this process sees it.
    package var group: Int32
}

extension SpawnedProcess {
    /// The program's process id; nil if it has ended.
    package var program: Int32? {
        InnerProcess.children(of: firstProcess).first { InnerProcess($0)?.inside == identifierInside }
    }

    /// The processes of the namespace except the first, and those of the program's group (with `ofProgram`) or of no other
    /// than it: daemons that the program has started.
    package func processes(ofProgram: Bool) -> [InnerProcess] {
        let program = program
        var found: [InnerProcess] = []
        var pending = [firstProcess]
        while let parent = pending.popLast() {
            let children = InnerProcess.children(of: parent)
            found += children.compactMap(InnerProcess.init)
            pending += children
        }
        return found.filter { ($0.group == program) == ofProgram }
    }

    /// Sends a signal to each process that is not of the program's group. Returns the number of processes.
    package func signalOthers(_ number: CInt) -> Int {
        let others = processes(ofProgram: false)
        for process in others { _ = cw_kill(process.identifier, number) }
        return others.count
    }
}

extension SpawnedProcess {
    /// Returns the process that has a TCP socket with this local port; nil if none of the namespace has it.
    package func process(withPort port: Int) -> InnerProcess? {
        let inodes = ["tcp", "tcp6"].flatMap { table in
            (ProcFile.text(of: "/proc/\(firstProcess)/net/\(table)") ?? "").split(separator: "\n")
                .compactMap { Self.inode(ofRow: $0, port: port) }
        }
        let targets = Set(inodes.map { "socket:[\($0)]" })
        guard !targets.isEmpty else { return nil }
        return (processes(ofProgram: true) + processes(ofProgram: false)).first { process in
            ProcFile.names(in: "/proc/\(process.identifier)/fd").contains { name in
                ProcFile.link("/proc/\(process.identifier)/fd/\(name)").map(targets.contains) ?? false
            }
        }
    }

    /// Returns the inode of a connected socket in a row of /proc/net/tcp (proc_net_tcp of Linux): number, local and remote
    /// address, state, and as the tenth word the inode.
    private static func inode(ofRow row: Substring, port: Int) -> Substring? {
        let words = row.split(separator: " ")
        guard words.count > 9, let local = words[1].split(separator: ":").last, Int(local, radix: 16) == port,
            words[3] != "0A", words[9] != "0"
        else { return nil }
        return words[9]
    }
}

extension InnerProcess {
    fileprivate static func children(of process: Int32) -> [Int32] {
        // Of all threads: a child belongs to the one that forked it.
        ProcFile.names(in: "/proc/\(process)/task").flatMap { thread in
            (ProcFile.text(of: "/proc/\(process)/task/\(thread)/children") ?? "").split(separator: " ")
                .compactMap { Int32($0) }
        }
    }

    /// Returns nil if the process has ended.
    fileprivate init?(_ identifier: Int32) {
        guard let status = ProcFile.text(of: "/proc/\(identifier)/status"),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("NSpid:") }),
            let inside = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).last.flatMap({ Int32($0) }),
            // The name in parentheses may contain anything; the state, the parent and the group follow the last of them.
            let stat = ProcFile.text(of: "/proc/\(identifier)/stat"), let end = stat.lastIndex(of: ")")
        else { return nil }
        let words = stat[end...].split(separator: " ")
        guard words.count > 3, let group = Int32(words[3]), words[1] != "Z" else { return nil }
        self.init(identifier: identifier, inside: inside, group: group)
    }
}
