/// What the kernel counts of the program.
extension SpawnedProcess {
    /// The most memory that the program has held so far, in bytes (`VmHWM`); nil when it has ended or its parent's children are not told.
    package var peakMemory: Int64? {
        guard let program, let status = ProcFile.text(of: "/proc/\(program)/status"),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Int64($0) })
        else { return nil }
        return kibibytes * 1024
    }

    /// The program's own number; nil when it has ended. The first process starts nothing else.
    package var program: Int32? {
        ProcFile.text(of: "/proc/\(firstProcess)/task/\(firstProcess)/children")?.split(separator: " ").first.flatMap { Int32($0) }
    }
}
