import Glibc
import NetworkMonitor

/// Reads the lines that another program prints, as they arrive.
final class LineReader {
    private let pipe: OwnedDescriptor
    private var buffer: [UInt8] = []

    init(_ pipe: consuming OwnedDescriptor) { self.pipe = pipe }

    /// Returns the next line; nil at the deadline, and at the end.
    func next(until deadline: Int64) throws -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeSubrange(...end)
                return line
            }
            let raw = pipe.withRaw { $0 }
            if try Poller.wait(for: raw, .readable, until: deadline).isEmpty { return nil }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(raw, &bytes, bytes.count)
            guard count > 0 else { return nil }
            buffer += bytes.prefix(count)
        }
    }
}
