package import DNSMessages
import InternetAddresses

/// The parts of a message that mean something else over multicast (RFC 6762 §18.12, §18.13).
extension DNSRecord {
    private static let topBit: UInt16 = 0x8000

    /// True if the record replaces all older ones of its name and type (RFC 6762 §10.2).
    package var flushesCache: Bool { recordClass & Self.topBit != 0 }

    package func flushing(_ flushes: Bool) -> DNSRecord {
        var record = self
        record.recordClass = flushes ? recordClass | Self.topBit : recordClass & ~Self.topBit
        return record
    }

    package func living(_ seconds: UInt32) -> DNSRecord {
        var record = self
        record.timeToLive = seconds
        return record
    }

    /// True if both records have the same content; names are compared without case.
    package func hasSameData(as other: DNSRecord) -> Bool { type == other.type && identity == other.identity }

    /// The data as bytes, with the letters of names in lower case: records of one name and type are the same if this is.
    var identity: [UInt8] {
        switch data {
        case .cname(let target), .ptr(let target): target.uncompressed.map(Self.lowercased)
        // The target follows three numbers.
        case .srv: comparedBytes.prefix(10) + comparedBytes.dropFirst(10).map(Self.lowercased)
        case .a, .aaaa, .soa, .other: comparedBytes
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }

    package var key: RecordKey { RecordKey(name, type) }

    /// The data of a record as uncompressed bytes, in which simultaneous probes are compared (RFC 6762 §8.2).
    package var comparedBytes: [UInt8] {
        func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)] }
        let content: [UInt8] =
            switch data {
            case .a(let address): IPAddress.v4(address).bytes
            case .aaaa(let address): IPAddress.v6(address).bytes
            case .cname(let target), .ptr(let target): target.uncompressed
            case .srv(let place):
                bytes(place.priority) + bytes(place.weight) + bytes(place.port) + place.target.uncompressed
            case .soa: []
            case .other(_, let content): content
            }
        return bytes(flushing(false).recordClass) + bytes(type.rawValue) + content
    }

    /// The NSEC record of a name that has records of these types only (RFC 6762 §6.1).
    package static func only(_ types: Set<DNSRecordType>, at name: DNSName, timeToLive: UInt32) -> DNSRecord {
        var bits = [UInt8](repeating: 0, count: 32)
        for type in types where type.rawValue < 256 { bits[Int(type.rawValue) / 8] |= 0x80 >> (type.rawValue % 8) }
        while bits.last == 0 { bits.removeLast() }
        return DNSRecord(
            name: name, timeToLive: timeToLive, data: .other(.nsec, name.uncompressed + [0, UInt8(bits.count)] + bits)
        )
        .flushing(true)
    }
}

extension DNSQuestion {
    /// True if the sender accepts the response to its own address (RFC 6762 §5.4).
    package var prefersUnicast: Bool { recordClass & 0x8000 != 0 }

    package var key: RecordKey { RecordKey(name, type) }
}

/// A name and a type, in the form in which records are looked up.
package struct RecordKey: Hashable, Sendable {
    package let name: String
    package let type: DNSRecordType

    package init(_ name: DNSName, _ type: DNSRecordType) { (self.name, self.type) = (name.folded, type) }
}

extension DNSName {
    /// The name on the wire without pointers.
    fileprivate var uncompressed: [UInt8] {
        var bytes: [UInt8] = []
        for label in labels { bytes += [UInt8(label.count)] + label }
        return bytes + [0]
    }
}
