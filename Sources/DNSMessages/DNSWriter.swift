import InternetAddresses

/// Encodes the parts of a DNS message; a name with the same ending as an earlier one points to it (RFC 1035 §4.1.4).
struct DNSWriter {
    private(set) var bytes: [UInt8] = []
    /// The position of each written ending. Compared byte for byte, so that a pointer never changes the letters of a
    /// name.
    private var endings: [ArraySlice<[UInt8]>: Int] = [:]

    mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func append(_ name: DNSName) {
        var rest = name.labels[...]
        while let label = rest.first {
            if let offset = endings[rest] {
                append(0xc000 | UInt16(offset))
                return
            }
            // A pointer has 14 bits.
            if bytes.count < 0x4000 { endings[rest] = bytes.count }
            bytes.append(UInt8(label.count))
            bytes += label
            rest = rest.dropFirst()
        }
        bytes.append(0)
    }

    /// Appends a name that readers of record types newer than RFC 1035 find without following pointers (RFC 3597 §4).
    private mutating func appendUncompressed(_ name: DNSName) {
        for label in name.labels { bytes += [UInt8(label.count)] + label }
        bytes.append(0)
    }

    mutating func append(_ question: DNSQuestion) {
        append(question.name)
        append(question.type.rawValue)
        append(question.recordClass)
    }

    mutating func append(_ record: DNSRecord) {
        append(record.name)
        append(record.type.rawValue)
        append(record.recordClass)
        append(record.timeToLive)
        let lengthPlace = bytes.count
        append(UInt16(0))
        switch record.data {
        case .a(let address): append(address.value)
        case .aaaa(let address):
            append(address.high)
            append(address.low)
        case .cname(let name), .ptr(let name): append(name)
        case .soa(let soa):
            append(soa.server)
            append(soa.mailbox)
            for number in [soa.serial, soa.refresh, soa.retry, soa.expire, soa.minimum] { append(number) }
        case .srv(let service):
            for number in [service.priority, service.weight, service.port] { append(number) }
            appendUncompressed(service.target)
        case .other(_, let content): bytes += content
        }
        let length = UInt16(clamping: bytes.count - lengthPlace - 2)
        bytes[lengthPlace] = UInt8(length >> 8)
        bytes[lengthPlace + 1] = UInt8(truncatingIfNeeded: length)
    }
}
