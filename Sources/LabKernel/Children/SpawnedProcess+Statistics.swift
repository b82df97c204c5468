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

    /// The program's process id; nil if it has ended. The first process starts no other child.
    package var program: Int32? {
        ProcFile.text(of: "/proc/\(firstProcess)/task/\(firstProcess)/children")?.split(separator: " ").first.flatMap {
            Int32($0)
        }
    }
}
