import InternetAddresses

/// Parses the parts of a DNS message from its bytes; every read is checked against the end.
struct DNSReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func readInteger<Number: FixedWidthInteger>() throws(DNSMessageError) -> Number {
        let width = Number.bitWidth / 8
        guard bytes.count - position >= width else { throw .endsTooSoon }
        var value: Number = 0
        for byte in bytes[position..<position + width] { value = value << 8 | Number(byte) }
        position += width
        return value
    }

    private mutating func readBytes(_ count: Int) throws(DNSMessageError) -> [UInt8] {
        guard bytes.count - position >= count else { throw .endsTooSoon }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Reads a name. A pointer must lead to a position before the part of the name that contains it, so each jump goes
    /// further back and the loop ends; the length limit of names bounds it as well.
    mutating func readName() throws(DNSMessageError) -> DNSName {
        var labels: [[UInt8]] = []
        var length = 1
        var place = position
        var partStart = position
        var after: Int?
        while true {
            guard place < bytes.count else { throw .endsTooSoon }
            let head = bytes[place]
            switch head >> 6 {
            case 0 where head == 0:
                position = after ?? place + 1
                return DNSName(labels: labels)
            case 0:
                let end = place + 1 + Int(head)
                guard end <= bytes.count else { throw .endsTooSoon }
                length += 1 + Int(head)
                guard length <= 255 else { throw .nameTooLong }
                labels.append(Array(bytes[place + 1..<end]))
                place = end
            case 3:
                guard place + 1 < bytes.count else { throw .endsTooSoon }
                let target = Int(head & 0x3f) << 8 | Int(bytes[place + 1])
                guard target < partStart else { throw .forwardPointer(at: place) }
                after = after ?? place + 2
                place = target
                partStart = target
            default:
                throw .reservedLabel(at: place)
            }
        }
    }

    mutating func readQuestion() throws(DNSMessageError) -> DNSQuestion {
        let name = try readName()
        let type: UInt16 = try readInteger()
        return DNSQuestion(name: name, type: DNSRecordType(rawValue: type), recordClass: try readInteger())
    }

    mutating func readRecord() throws(DNSMessageError) -> DNSRecord {
        let name = try readName()
        let type = DNSRecordType(rawValue: try readInteger())
        let recordClass: UInt16 = try readInteger()
        let timeToLive: UInt32 = try readInteger()
        let length: UInt16 = try readInteger()
        let end = position + Int(length)
        guard end <= bytes.count else { throw .endsTooSoon }
        let data: DNSRecord.Data
        switch type {
        case .a where length == 4: data = .a(IPv4Address(try readInteger()))
        case .aaaa where length == 16: data = .aaaa(IPv6Address(high: try readInteger(), low: try readInteger()))
        // With the bit that multicast DNS adds to the class (RFC 6762 §10.2).
        case .a where recordClass & 0x7fff == DNSRecord.internet,
            .aaaa where recordClass & 0x7fff == DNSRecord.internet:
            throw .wrongDataLength(type)
        case .cname: data = .cname(try readName())
        case .ptr: data = .ptr(try readName())
        case .soa: data = .soa(try readStartOfAuthority())
        case .srv:
            data = .srv(
                .init(
                    priority: try readInteger(), weight: try readInteger(), port: try readInteger(),
                    target: try readName()))
        default: data = .other(type, try readBytes(Int(length)))
        }
        guard position == end else { throw .wrongDataLength(type) }
        return DNSRecord(name: name, recordClass: recordClass, timeToLive: timeToLive, data: data)
    }

    private mutating func readStartOfAuthority() throws(DNSMessageError) -> DNSRecord.StartOfAuthority {
        let server = try readName()
        let mailbox = try readName()
        return DNSRecord.StartOfAuthority(
            server: server, mailbox: mailbox, serial: try readInteger(), refresh: try readInteger(),
            retry: try readInteger(),
            expire: try readInteger(), minimum: try readInteger())
    }
}
