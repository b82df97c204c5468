/// A method call whose arguments are strings, and for which the bus does not start a program (D-Bus Specification,
/// "Message Protocol").
struct DBusCall: Hashable, Sendable {
    var serial: UInt32
    var destination: String
    var path: String
    var interface: String
    var member: String
    var arguments: [String] = []

    /// The message in little-endian order.
    var bytes: [UInt8] {
        var fields = DBusWriter()
        fields.addField(1, "o", path)
        fields.addField(2, "s", interface)
        fields.addField(3, "s", member)
        fields.addField(6, "s", destination)
        var body = DBusWriter()
        if !arguments.isEmpty {
            fields.addSignature(String(repeating: "s", count: arguments.count))
            for argument in arguments { body.add(argument) }
        }
        // METHOD_CALL, NO_AUTO_START, version 1 of the protocol.
        var message = DBusWriter(bytes: [UInt8(ascii: "l"), 1, 0x2, 1])
        message.add(UInt32(body.bytes.count))
        message.add(serial)
        message.add(UInt32(fields.bytes.count))
        message.bytes += fields.bytes
        message.align(8)
        return message.bytes + body.bytes
    }
}

/// Appends values at the places that their types require.
private struct DBusWriter {
    var bytes: [UInt8] = []

    mutating func align(_ width: Int) {
        while !bytes.count.isMultiple(of: width) { bytes.append(0) }
    }

    mutating func add(_ number: UInt32) {
        align(4)
        for shift in stride(from: UInt32(0), to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func add(_ text: String) {
        add(UInt32(text.utf8.count))
        bytes += Array(text.utf8) + [0]
    }

    /// A field of the header is a structure of its code and a variant.
    mutating func addField(_ code: UInt8, _ type: Unicode.Scalar, _ text: String) {
        align(8)
        bytes += [code, 1, UInt8(ascii: type), 0]
        add(text)
    }

    mutating func addSignature(_ signature: String) {
        align(8)
        bytes += [8, 1, UInt8(ascii: "g"), 0, UInt8(truncatingIfNeeded: signature.utf8.count)]
        bytes += Array(signature.utf8) + [0]
    }
}

enum DBusMessageError: Error, Hashable {
    case unknownByteOrder(UInt8)
    case unknownVersion(UInt8)
    /// A length is above `DBusMessage.longest`.
    case tooLong(UInt32)
    /// A value reaches beyond its message or beyond the fields of the header.
    case endsTooSoon
    /// The signature of a variant is not that of a basic type that is read here.
    case unknownType([UInt8])
    case invalidBoolean(UInt32)
}

/// A received message, reduced to what the caller of `org.freedesktop.DBus.Properties.Get` needs.
struct DBusMessage: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case boolean(Bool)
        case double(Double)
        case unsigned(UInt32)
        case signature([UInt8])
        /// A text, or a path of an object.
        case text([UInt8])
    }

    static let methodReturn: UInt8 = 2
    static let error: UInt8 = 3
    /// The most bytes that the fields of a header or a body may have. The specification allows 64 MiB and 128 MiB.
    static let longest: UInt32 = 16 << 10

    var kind: UInt8
    /// The serial of the call to which this is the reply.
    var replySerial: UInt32?
    /// The content of a variant that is the whole body; nil for another body.
    var value: Value?

    /// Removes the first message from received bytes; nil until it is complete. After an error the bytes are useless.
    static func take(from received: inout [UInt8]) throws(DBusMessageError) -> DBusMessage? {
        guard let order = received.first else { return nil }
        guard order == UInt8(ascii: "l") || order == UInt8(ascii: "B") else { throw .unknownByteOrder(order) }
        guard received.count >= 16 else { return nil }
        guard received[3] == 1 else { throw .unknownVersion(received[3]) }
        let isBigEndian = order == UInt8(ascii: "B")
        var header = DBusReader(bytes: received[4..<16], isBigEndian: isBigEndian)
        let bodyLength = try header.readLength()
        let _: UInt32 = try header.readInteger()
        let fieldsEnd = 16 + (try header.readLength())
        let body = (fieldsEnd + 7) / 8 * 8
        let end = body + bodyLength
        guard received.count >= end else { return nil }

        var message = DBusMessage(kind: received[1])
        var signature: [UInt8] = []
        var fields = DBusReader(bytes: received[16..<fieldsEnd], isBigEndian: isBigEndian)
        while !fields.bytes.isEmpty {
            try fields.align(8)
            let code: UInt8 = try fields.readInteger()
            switch (code, try fields.readVariant()) {
            case (5, .unsigned(let serial)): message.replySerial = serial
            case (8, .signature(let text)): signature = text
            default: break
            }
        }
        if signature == [UInt8(ascii: "v")] {
            var reader = DBusReader(bytes: received[body..<end], isBigEndian: isBigEndian)
            message.value = try reader.readVariant()
        }
        received.removeFirst(end)
        return message
    }
}

/// Parses the parts of a message from its bytes; every read is checked against the end.
private struct DBusReader {
    /// The bytes that are left. The index 0 is that of the first byte of the message, from which alignments count.
    private(set) var bytes: ArraySlice<UInt8>
    private let isBigEndian: Bool

    init(bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
        self.bytes = bytes
        self.isBigEndian = isBigEndian
    }

    private mutating func take(_ count: Int) throws(DBusMessageError) -> ArraySlice<UInt8> {
        guard count <= bytes.count else { throw .endsTooSoon }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }

    mutating func align(_ width: Int) throws(DBusMessageError) {
        _ = try take((width - bytes.startIndex % width) % width)
    }

    mutating func readInteger<Number: FixedWidthInteger & UnsignedInteger>() throws(DBusMessageError) -> Number {
        let width = Number.bitWidth / 8
        try align(width)
        let ordered = try take(width)
        var value: Number = 0
        for byte in isBigEndian ? Array(ordered) : ordered.reversed() { value = value << 8 | Number(byte) }
        return value
    }

    mutating func readLength() throws(DBusMessageError) -> Int {
        let length: UInt32 = try readInteger()
        guard length <= DBusMessage.longest else { throw .tooLong(length) }
        return Int(length)
    }

    /// A signature has a length of one byte, and a zero after it.
    private mutating func readSignature() throws(DBusMessageError) -> [UInt8] {
        let length: UInt8 = try readInteger()
        return Array(try take(Int(length) + 1).dropLast())
    }

    mutating func readVariant() throws(DBusMessageError) -> DBusMessage.Value {
        let type = try readSignature()
        guard type.count == 1 else { throw .unknownType(type) }
        switch Unicode.Scalar(type[0]) {
        case "b":
            let flag: UInt32 = try readInteger()
            guard flag <= 1 else { throw .invalidBoolean(flag) }
            return .boolean(flag == 1)
        case "d": return .double(Double(bitPattern: try readInteger()))
        case "u": return .unsigned(try readInteger())
        case "g": return .signature(try readSignature())
        case "s", "o": return .text(Array(try take(try readLength() + 1).dropLast()))
        default: throw .unknownType(type)
        }
    }
}
