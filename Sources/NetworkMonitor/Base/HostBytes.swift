/// Integers as the kernel's structures contain them: in the byte order of this machine.
extension FixedWidthInteger {
    package var hostBytes: [UInt8] {
        let littleFirst = (0..<MemoryLayout<Self>.size).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
        return Self(1).littleEndian == 1 ? littleFirst : littleFirst.reversed()
    }

    /// Reads exactly as many bytes as the type has; missing bytes count as zero.
    package init(hostBytes bytes: some BidirectionalCollection<UInt8>) {
        var value: Self = 0
        if Self(1).littleEndian == 1 {
            for byte in bytes.reversed() { value = value << 8 | Self(truncatingIfNeeded: byte) }
        } else {
            for byte in bytes { value = value << 8 | Self(truncatingIfNeeded: byte) }
        }
        self = value
    }
}
