import Glibc

/// A small file below `/proc`, read completely.
enum ProcFile {
    /// Returns the contents; nil if the file does not exist, because the process has ended or this kernel does not
    /// provide it.
    static func text(of file: String) -> String? {
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
