import Glibc

extension SpawnedProcess {
    /// The most memory that the program has held so far, in bytes (`VmHWM`); nil when it has ended or its parent's children are not told.
    package var peakMemory: Int64? {
        // The first process starts nothing but the program.
        guard let children = SpawnedProcess.text(of: "/proc/\(firstProcess)/task/\(firstProcess)/children"),
            let program = children.split(separator: " ").first,
            let status = SpawnedProcess.text(of: "/proc/\(program)/status"),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Int64($0) })
        else { return nil }
        return kibibytes * 1024
    }

    private static func text(of file: String) -> String? {
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
