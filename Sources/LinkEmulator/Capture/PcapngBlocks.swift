/// The blocks of a pcapng file (draft-ietf-opsawg-pcapng) for layer-3 packets, as bytes. The caller writes them in
/// sequence, starting with a section header.
package enum PcapngBlocks {
    package enum Flow: UInt32, Hashable, Sendable {
        case inbound = 1
        case outbound = 2
    }

    /// Layer-3 packets; the first four bits distinguish IPv4 from IPv6.
    package static let linkTypeRaw: UInt16 = 101
    /// Secrets in the format of NSS's SSLKEYLOGFILE.
    package static let tlsKeyLog: UInt32 = 0x544C_534B

    /// Returns the header of a section: little-endian, of unspecified length.
    package static func sectionHeader(application: String, comment: String? = nil) -> [UInt8] {
        var body: [UInt8] = []
        body.appendLittle(UInt32(0x1A2B_3C4D))
        body.appendLittle(UInt16(1))
        body.appendLittle(UInt16(0))
        body.appendLittle(UInt64.max)
        var options = Options()
        options.add(comment: comment)
        options.add(4, text: application)
        return block(0x0A0D_0D0A, body, options)
    }

    /// Returns the description of the next interface; the first has number 0. Timestamps are in nanoseconds.
    package static func interface(name: String, description: String? = nil, snapLength: UInt32 = 0) -> [UInt8] {
        var body: [UInt8] = []
        body.appendLittle(linkTypeRaw)
        body.appendLittle(UInt16(0))
        body.appendLittle(snapLength)
        var options = Options()
        options.add(2, text: name)
        if let description { options.add(3, text: description) }
        options.add(9, [9])  // if_tsresol: 10^-9
        return block(1, body, options)
    }

    /// Returns the block of one packet. The timestamp counts from the Unix epoch.
    package static func packet(
        _ bytes: Span<UInt8>, interface: UInt32, nanoseconds: UInt64, flow: Flow? = nil, comment: String? = nil
    ) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(bytes.count + 64)
        body.appendLittle(interface)
        body.appendLittle(UInt32(truncatingIfNeeded: nanoseconds >> 32))
        body.appendLittle(UInt32(truncatingIfNeeded: nanoseconds))
        body.appendLittle(UInt32(bytes.count))
        body.appendLittle(UInt32(bytes.count))
        body.append(bytes)
        body.padToWord()
        var options = Options()
        options.add(comment: comment)
        if let flow { options.add(2, littleEndian: flow.rawValue) }
        return block(6, body, options)
    }

    /// Returns a block of TLS keys. It must precede the packets that the keys decrypt.
    package static func decryptionSecrets(keyLog: String) -> [UInt8] {
        let secrets = Array(keyLog.utf8)
        var body: [UInt8] = []
        body.appendLittle(tlsKeyLog)
        body.appendLittle(UInt32(secrets.count))
        body += secrets
        body.padToWord()
        return block(0x0A, body, Options())
    }

    private static func block(_ type: UInt32, _ body: [UInt8], _ options: Options) -> [UInt8] {
        let tail = options.terminated
        let length = UInt32(12 + body.count + tail.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(length))
        bytes.appendLittle(type)
        bytes.appendLittle(length)
        bytes += body
        bytes += tail
        bytes.appendLittle(length)
        return bytes
    }

    private struct Options {
        private var bytes: [UInt8] = []

        mutating func add(_ code: UInt16, _ value: [UInt8]) {
            // The length field has 16 bits. A longer comment is truncated, because its length would corrupt the file.
            let value = value.prefix(Int(UInt16.max))
            bytes.appendLittle(code)
            bytes.appendLittle(UInt16(value.count))
            bytes += value
            bytes.padToWord()
        }
        mutating func add(_ code: UInt16, text: String) { add(code, Array(text.utf8)) }
        mutating func add(_ code: UInt16, littleEndian value: UInt32) {
            var four: [UInt8] = []
            four.appendLittle(value)
            add(code, four)
        }
        mutating func add(comment: String?) {
            if let comment { add(1, text: comment) }
        }
        /// The options with their end marker, which is present only if there are options.
        var terminated: [UInt8] { bytes.isEmpty ? [] : bytes + [0, 0, 0, 0] }
    }
}

extension [UInt8] {
    fileprivate mutating func appendLittle(_ value: some FixedWidthInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
    fileprivate mutating func padToWord() {
        while count % 4 != 0 { append(UInt8(0)) }
    }
}
