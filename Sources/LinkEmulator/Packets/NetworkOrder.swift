import InternetAddresses

extension Span<UInt8> {
    func word16(_ offset: Int) -> UInt16 { UInt16(self[offset]) << 8 | UInt16(self[offset + 1]) }
    func word32(_ offset: Int) -> UInt32 { UInt32(word16(offset)) << 16 | UInt32(word16(offset + 2)) }
    func word64(_ offset: Int) -> UInt64 { UInt64(word32(offset)) << 32 | UInt64(word32(offset + 4)) }
}

extension [UInt8] {
    mutating func append16(_ value: UInt16) {
        append(UInt8(value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }
    mutating func append32(_ value: UInt32) {
        append16(UInt16(value >> 16))
        append16(UInt16(truncatingIfNeeded: value))
    }
    mutating func append64(_ value: UInt64) {
        append32(UInt32(value >> 32))
        append32(UInt32(truncatingIfNeeded: value))
    }
    mutating func append(_ address: IPv4Address) { append32(address.value) }
    mutating func append(_ address: IPv6Address) {
        append64(address.high)
        append64(address.low)
    }
    mutating func append(_ bytes: Span<UInt8>) {
        for position in bytes.indices { append(bytes[position]) }
    }
    mutating func set16(_ value: UInt16, at offset: Int) {
        self[offset] = UInt8(value >> 8)
        self[offset + 1] = UInt8(truncatingIfNeeded: value)
    }
}
