import CNetlink

/// One rtnetlink request as a value: type, flags, the family's fixed header, and attributes.
///
/// Requests are built here, not by libnl-route, because that library omits attributes that are zero, and the kernel
/// keeps the old value of an omitted attribute: nothing could ever be switched off again.
package struct NetlinkRequest: Equatable {
    package let type: Int
    package let flags: CInt
    package private(set) var body: [UInt8]

    package init(_ type: Int, flags: CInt = 0, header: [UInt8]) {
        self.type = type
        self.flags = flags
        body = header
        pad()
    }

    package mutating func put(_ attribute: Int, bytes: [UInt8]) {
        body += UInt16(bytes.count + 4).hostBytes
        body += UInt16(attribute).hostBytes
        body += bytes
        pad()
    }

    package mutating func put(_ attribute: Int, _ value: some FixedWidthInteger) {
        put(attribute, bytes: value.hostBytes)
    }

    package mutating func put(_ attribute: Int, _ text: String) {
        put(attribute, bytes: Array(text.utf8) + [0])
    }

    /// Adds an attribute that contains the attributes added by `content`.
    package mutating func nest(_ attribute: Int, _ content: (inout NetlinkRequest) -> Void) {
        let start = body.count
        put(attribute, bytes: [])
        content(&self)
        let length = UInt16(body.count - start).hostBytes
        body.replaceSubrange(start..<start + 2, with: length)
    }

    /// Adds bytes without an attribute header, as `veth` requires for the peer's `ifinfomsg`.
    package mutating func append(_ bytes: [UInt8]) {
        body += bytes
        pad()
    }

    private mutating func pad() {
        while body.count % 4 != 0 { body.append(0) }
    }
}

/// One parsed message of the kernel.
package struct NetlinkReply: Equatable {
    package let type: Int
    private let body: [UInt8]

    package init(type: Int, body: [UInt8]) {
        self.type = type
        self.body = body
    }

    /// Returns the fixed header of `count` bytes in front of the attributes; nil if the message is too short.
    package func header(_ count: Int) -> [UInt8]? {
        body.count >= count ? Array(body[..<count]) : nil
    }

    package func attributes(after header: Int) -> [Int: [UInt8]] {
        Self.attributes(in: body.dropFirst((header + 3) & ~3))
    }

    package static func attributes(in bytes: some RandomAccessCollection<UInt8>) -> [Int: [UInt8]] {
        let bytes = Array(bytes)
        var found: [Int: [UInt8]] = [:]
        var position = 0
        while position + 4 <= bytes.count {
            let length = Int(UInt16(hostBytes: bytes[position..<position + 2]))
            // NLA_F_NESTED and NLA_F_NET_BYTEORDER are not part of the number.
            let type = Int(UInt16(hostBytes: bytes[position + 2..<position + 4]) & 0x3FFF)
            guard length >= 4, position + length <= bytes.count else { break }
            found[type] = Array(bytes[position + 4..<position + length])
            position += (length + 3) & ~3
        }
        return found
    }
}

extension [UInt8] {
    package var netlinkText: String { String(decoding: prefix { $0 != 0 }, as: UTF8.self) }
}
