/// Zstandard frames (RFC 8878 §3.1.1) of raw blocks, and of repeated bytes.
enum Zstandard {
    private static let largestBlock: Int64 = 128 << 10
    /// Magic, no content size, no checksum, a window of 128 KiB.
    private static let head: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38]

    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result = head
        var from = 0
        repeat {
            let end = min(from + Int(largestBlock), bytes.count)
            result += blockHead(Int64(end - from), type: 0, isLast: end == bytes.count) + bytes[from..<end]
            from = end
        } while from < bytes.count
        return result
    }

    static func zeros(_ count: Int64) -> [UInt8] {
        var result = head
        var left = count
        repeat {
            let size = min(left, largestBlock)
            left -= size
            result += blockHead(size, type: 1, isLast: left == 0) + [0]
        } while left > 0
        return result
    }

    private static func blockHead(_ size: Int64, type: UInt32, isLast: Bool) -> [UInt8] {
        let value = UInt32(size) << 3 | type << 1 | (isLast ? 1 : 0)
        return [
            UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8),
            UInt8(truncatingIfNeeded: value >> 16),
        ]
    }
}
