package import InternetAddresses

/// A record type by its number (RFC 1035 §3.2.2 and later assignments).
package struct DNSRecordType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let a = DNSRecordType(rawValue: 1)
    package static let cname = DNSRecordType(rawValue: 5)
    package static let soa = DNSRecordType(rawValue: 6)
    package static let ptr = DNSRecordType(rawValue: 12)
    package static let txt = DNSRecordType(rawValue: 16)
    package static let aaaa = DNSRecordType(rawValue: 28)
    package static let srv = DNSRecordType(rawValue: 33)
    package static let opt = DNSRecordType(rawValue: 41)
    package static let nsec = DNSRecordType(rawValue: 47)
    package static let ixfr = DNSRecordType(rawValue: 251)
    package static let axfr = DNSRecordType(rawValue: 252)
    package static let any = DNSRecordType(rawValue: 255)

    /// The assigned name, or `TYPEn` (RFC 3597 §5).
    package var description: String {
        switch rawValue {
        case 1: "A"
        case 2: "NS"
        case 5: "CNAME"
        case 6: "SOA"
        case 12: "PTR"
        case 15: "MX"
        case 16: "TXT"
        case 28: "AAAA"
        case 33: "SRV"
        case 35: "NAPTR"
        case 41: "OPT"
        case 43: "DS"
        case 47: "NSEC"
        case 48: "DNSKEY"
        case 64: "SVCB"
        case 65: "HTTPS"
        case 251: "IXFR"
        case 252: "AXFR"
        case 255: "ANY"
        default: "TYPE\(rawValue)"
        }
    }
}

/// A response code, with the upper eight bits of EDNS included (RFC 6891 §6.1.3).
package struct DNSResponseCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue & 0xfff }

    package static let noError = DNSResponseCode(rawValue: 0)
    package static let formatError = DNSResponseCode(rawValue: 1)
    package static let serverFailure = DNSResponseCode(rawValue: 2)
    package static let nameError = DNSResponseCode(rawValue: 3)
    package static let notImplemented = DNSResponseCode(rawValue: 4)
    package static let refused = DNSResponseCode(rawValue: 5)
    package static let badVersion = DNSResponseCode(rawValue: 16)
}

package struct DNSQuestion: Hashable, Sendable {
    package var name: DNSName
    package var type: DNSRecordType
    package var recordClass: UInt16
    package init(name: DNSName, type: DNSRecordType, recordClass: UInt16 = DNSRecord.internet) {
        self.name = name
        self.type = type
        self.recordClass = recordClass
    }
}

/// One resource record of the Internet class or another.
package struct DNSRecord: Hashable, Sendable {
    package static let internet: UInt16 = 1
    package static let anyClass: UInt16 = 255

    package enum Data: Hashable, Sendable {
        case a(IPv4Address)
        case aaaa(IPv6Address)
        case cname(DNSName)
        case ptr(DNSName)
        case soa(StartOfAuthority)
        case srv(ServiceLocation)
        /// The bytes as received; compressed names inside are not followed.
        case other(DNSRecordType, [UInt8])
    }
    /// The host and port of a service (RFC 2782).
    package struct ServiceLocation: Hashable, Sendable {
        package var priority: UInt16
        package var weight: UInt16
        package var port: UInt16
        package var target: DNSName
        package init(priority: UInt16 = 0, weight: UInt16 = 0, port: UInt16, target: DNSName) {
            self.priority = priority
            self.weight = weight
            self.port = port
            self.target = target
        }
    }
    package struct StartOfAuthority: Hashable, Sendable {
        package var server: DNSName
        package var mailbox: DNSName
        package var serial: UInt32
        package var refresh: UInt32
        package var retry: UInt32
        package var expire: UInt32
        /// The maximum time for which a negative reply may be cached (RFC 2308 §4).
        package var minimum: UInt32
        package init(
            server: DNSName, mailbox: DNSName, serial: UInt32, refresh: UInt32, retry: UInt32, expire: UInt32,
            minimum: UInt32
        ) {
            self.server = server
            self.mailbox = mailbox
            self.serial = serial
            self.refresh = refresh
            self.retry = retry
            self.expire = expire
            self.minimum = minimum
        }
    }

    package var name: DNSName
    package var recordClass: UInt16
    package var timeToLive: UInt32
    package var data: Data
    package init(name: DNSName, recordClass: UInt16 = DNSRecord.internet, timeToLive: UInt32, data: Data) {
        self.name = name
        self.recordClass = recordClass
        self.timeToLive = timeToLive
        self.data = data
    }

    package var type: DNSRecordType {
        switch data {
        case .a: .a
        case .aaaa: .aaaa
        case .cname: .cname
        case .ptr: .ptr
        case .soa: .soa
        case .srv: .srv
        case .other(let type, _): type
        }
    }
}
