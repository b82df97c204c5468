/// One DNS message (RFC 1035 §4.1), with its OPT record taken out of the additional section (RFC 6891).
package struct DNSMessage: Hashable, Sendable {
    package var identifier: UInt16 = 0
    package var isResponse = false
    package var operation: UInt8 = 0
    package var isAuthoritative = false
    package var isTruncated = false
    package var recursionDesired = false
    package var recursionAvailable = false
    package var authenticData = false
    package var checkingDisabled = false
    package var responseCode = DNSResponseCode.noError
    package var questions: [DNSQuestion] = []
    package var answers: [DNSRecord] = []
    package var authorities: [DNSRecord] = []
    package var additionals: [DNSRecord] = []
    package var edns: EDNS?
    package init() {}

    package struct EDNS: Hashable, Sendable {
        /// The maximum size of a UDP message that its sender accepts.
        package var payloadSize: UInt16
        package var version: UInt8
        package var dnssecOK: Bool
        package init(payloadSize: UInt16, version: UInt8 = 0, dnssecOK: Bool = false) {
            self.payloadSize = payloadSize
            self.version = version
            self.dnssecOK = dnssecOK
        }
    }

    /// Octets of the fixed header.
    package static let headerLength = 12

    /// Parses one whole message; the work is bounded by the message's length.
    package init(parsing bytes: [UInt8]) throws(DNSMessageError) {
        var reader = DNSReader(bytes)
        identifier = try reader.readInteger()
        let flags: UInt16 = try reader.readInteger()
        isResponse = flags & 0x8000 != 0
        operation = UInt8(flags >> 11 & 0xf)
        isAuthoritative = flags & 0x0400 != 0
        isTruncated = flags & 0x0200 != 0
        recursionDesired = flags & 0x0100 != 0
        recursionAvailable = flags & 0x0080 != 0
        authenticData = flags & 0x0020 != 0
        checkingDisabled = flags & 0x0010 != 0
        var code = flags & 0xf
        let questionCount: UInt16 = try reader.readInteger()
        let answerCount: UInt16 = try reader.readInteger()
        let authorityCount: UInt16 = try reader.readInteger()
        let additionalCount: UInt16 = try reader.readInteger()
        // The counts come from the sender: nothing is reserved for them, the reader stops at the message's end.
        for _ in 0..<questionCount { questions.append(try reader.readQuestion()) }
        for _ in 0..<answerCount { answers.append(try reader.readRecord()) }
        for _ in 0..<authorityCount { authorities.append(try reader.readRecord()) }
        for _ in 0..<additionalCount {
            let record = try reader.readRecord()
            guard record.type == .opt else {
                additionals.append(record)
                continue
            }
            // RFC 6891 §6.1.1 and §6.1.2: at most one, owned by the root.
            guard edns == nil, record.name == .root else { throw .malformedOption }
            edns = EDNS(
                payloadSize: record.recordClass, version: UInt8(record.timeToLive >> 16 & 0xff),
                dnssecOK: record.timeToLive & 0x8000 != 0)
            code |= UInt16(record.timeToLive >> 24) << 4
        }
        responseCode = DNSResponseCode(rawValue: code)
    }

    /// Encodes the message in at most `limit` octets: records that do not fit are left out whole and the TC bit is set
    /// (RFC 2181 §9).
    package func encoded(limit: Int = 65535) -> [UInt8] {
        let whole = encodedWhole()
        guard whole.count > limit else { return whole }
        var short = self
        short.answers = []
        short.authorities = []
        short.additionals = []
        short.isTruncated = true
        return short.encodedWhole()
    }

    private func encodedWhole() -> [UInt8] {
        var writer = DNSWriter()
        writer.append(identifier)
        var flags = UInt16(operation & 0xf) << 11 | responseCode.rawValue & 0xf
        if isResponse { flags |= 0x8000 }
        if isAuthoritative { flags |= 0x0400 }
        if isTruncated { flags |= 0x0200 }
        if recursionDesired { flags |= 0x0100 }
        if recursionAvailable { flags |= 0x0080 }
        if authenticData { flags |= 0x0020 }
        if checkingDisabled { flags |= 0x0010 }
        writer.append(flags)
        for count in [questions.count, answers.count, authorities.count, additionals.count + (edns == nil ? 0 : 1)] {
            writer.append(UInt16(clamping: count))
        }
        for question in questions { writer.append(question) }
        for record in answers + authorities + additionals { writer.append(record) }
        if let edns {
            writer.append(
                DNSRecord(
                    name: .root, recordClass: edns.payloadSize,
                    timeToLive: UInt32(responseCode.rawValue >> 4) << 24 | UInt32(edns.version) << 16
                        | (edns.dnssecOK ? 0x8000 : 0),
                    data: .other(.opt, [])))
        }
        return writer.bytes
    }
}

/// The reason why bytes are not a DNS message.
package enum DNSMessageError: Error, Hashable, CustomStringConvertible {
    case endsTooSoon
    /// A label that is neither a length nor a pointer (RFC 1035 §4.1.4 reserves 01 and 10).
    case reservedLabel(at: Int)
    /// A pointer that does not lead strictly backwards: it could loop.
    case forwardPointer(at: Int)
    case nameTooLong
    /// The data of a record does not fill the length it states.
    case wrongDataLength(DNSRecordType)
    /// More than one OPT record, or one whose owner is not the root.
    case malformedOption

    package var description: String {
        switch self {
        case .endsTooSoon: "the message is too short"
        case .reservedLabel(let offset): "reserved label type at byte \(offset)"
        case .forwardPointer(let offset): "the compression pointer at byte \(offset) does not point back"
        case .nameTooLong: "a name is longer than 255 octets"
        case .wrongDataLength(let type): "the data of an \(type) record has the wrong length"
        case .malformedOption: "more than one OPT record, or one with a name"
        }
    }
}
