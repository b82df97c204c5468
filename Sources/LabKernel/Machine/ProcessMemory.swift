/// The resident memory of a process, from `/proc/PID/status` (proc_pid_status(5)).
package enum ProcessMemory: String {
    case resident = "VmRSS:"
    /// The largest resident size so far.
    case peak = "VmHWM:"

    /// Returns the size in MiB, or NaN if the process has ended.
    ///
    /// - Parameter process: nil for this process.
    package static func mebibytes(_ size: ProcessMemory, of process: Int32? = nil) -> Double {
        let status = ProcFile.text(of: "/proc/\(process.map { "\($0)" } ?? "self")/status") ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(size.rawValue) }
        let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        return (kibibytes ?? .nan) / 1024
    }
}
