import Testing

@testable import TransferDaemon

extension Array<UInt8> {
    /// Bytes written as hexadecimal digits, with spaces anywhere.
    init(hexadecimal text: String) {
        let digits = text.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue ?? 0) }
        self = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

/// Messages that GLib 2.74 wrote (`Gio.DBusMessage.to_blob`).
enum GLibMessage {
    /// The reply to call 2 with `true` in a variant.
    static let boolean = [UInt8](
        hexadecimal: """
            6c02010108000000070000003000000007017300040000003a312e330000000006017300040000003a312e390000000008016700
            0176000005017500020000000162000001000000
            """)
    static let bigEndianBoolean = [UInt8](
        hexadecimal: """
            4202010100000008000000070000003007017300000000043a312e330000000006017300000000043a312e390000000008016700
            0176000005017500000000020162000000000001
            """)
    /// The same with 42.5.
    static let double = [UInt8](
        hexadecimal: """
            6c02010110000000070000003000000007017300040000003a312e330000000006017300040000003a312e390000000008016700
            01760000050175000200000001640000000000000000000000404540
            """)
    static let bigEndianDouble = [UInt8](
        hexadecimal: """
            4202010100000010000000070000003007017300000000043a312e330000000006017300000000043a312e390000000008016700
            0176000005017500000000020164000000000000 4045400000000000
            """)
    /// The error NameHasNoOwner, of which the body is a text.
    static let error = [UInt8](
        hexadecimal: """
            6c03010109000000030000006800000007017300140000006f72672e667265656465736b746f702e444275730000000004017300
            290000006f72672e667265656465736b746f702e444275732e4572726f722e4e616d654861734e6f4f776e657200000000000000
            08016700017300000501750002000000040000006e6f6e6500
            """)
}

@Suite struct DBusMessageTests {
    private func take(_ bytes: [UInt8]) throws -> DBusMessage? {
        var bytes = bytes
        return try DBusMessage.take(from: &bytes)
    }

    /// GLib reads these bytes as this call with the flag NO_AUTO_START; its own differ in the order of the fields alone.
    @Test func `a call has the bytes of the specification`() {
        let call = DBusCall(
            serial: 2, destination: "org.freedesktop.UPower", path: "/org/freedesktop/UPower",
            interface: "org.freedesktop.DBus.Properties", member: "Get",
            arguments: ["org.freedesktop.UPower", "OnBattery"])
        let header = [UInt8](hexadecimal: "6c010201 2a000000 02000000 80000000")
        let path = [UInt8](hexadecimal: "01016f00 17000000") + Array("/org/freedesktop/UPower\0".utf8)
        let interface =
            [UInt8](hexadecimal: "02017300 1f000000") + Array("org.freedesktop.DBus.Properties\0".utf8)
        let member = [UInt8](hexadecimal: "03017300 03000000") + Array("Get\0".utf8) + [0, 0, 0, 0]
        let destination =
            [UInt8](hexadecimal: "06017300 16000000") + Array("org.freedesktop.UPower\0".utf8) + [0]
        let signature = [UInt8](hexadecimal: "08016700 02737300")
        let body =
            [UInt8](hexadecimal: "16000000") + Array("org.freedesktop.UPower\0".utf8) + [0]
            + [UInt8](hexadecimal: "09000000") + Array("OnBattery\0".utf8)
        #expect(call.bytes == header + path + interface + member + destination + signature + body)
    }

    @Test(arguments: [
        (GLibMessage.boolean, DBusMessage.Value.boolean(true)), (GLibMessage.bigEndianBoolean, .boolean(true)),
        (GLibMessage.double, .double(42.5)), (GLibMessage.bigEndianDouble, .double(42.5)),
    ]) func `a reply is read in both byte orders`(bytes: [UInt8], value: DBusMessage.Value) throws {
        var received = bytes + GLibMessage.error
        let reply = try DBusMessage.take(from: &received)
        #expect(reply == DBusMessage(kind: DBusMessage.methodReturn, replySerial: 2, value: value))
        #expect(received == GLibMessage.error)
    }

    @Test func `an error is read without its text`() throws {
        #expect(try take(GLibMessage.error) == DBusMessage(kind: DBusMessage.error, replySerial: 2, value: nil))
    }

    @Test(arguments: [GLibMessage.boolean, GLibMessage.bigEndianDouble, GLibMessage.error])
    func `a message is incomplete until its last byte`(bytes: [UInt8]) throws {
        for count in 0..<bytes.count { #expect(try take(Array(bytes[..<count])) == nil, "\(count) bytes") }
    }

    /// Each row overwrites bytes of the message with `true`. The body's length is at offset 4 and that of the fields at 12.
    /// The first field has its type at 17 and 18 and the length of its text at 20. The fourth field begins at 57. The
    /// value is at 68.
    @Test(arguments: [
        (0, "00", DBusMessageError.unknownByteOrder(0)), (0, "62", .unknownByteOrder(0x62)),
        // The other order gives lengths of many megabytes.
        (0, "42", .tooLong(0x0800_0000)), (3, "02", .unknownVersion(2)), (4, "ffffffff", .tooLong(.max)),
        (4, "01400000", .tooLong(0x4001)), (12, "ffffffff", .tooLong(.max)), (4, "07000000", .endsTooSoon),
        (4, "00000000", .endsTooSoon), (12, "2f000000", .endsTooSoon), (17, "ff", .endsTooSoon),
        (17, "00", .unknownType([])), (18, "7b", .unknownType([0x7b])), (20, "ffffffff", .tooLong(.max)),
        (20, "00400000", .endsTooSoon), (20, "24000000", .endsTooSoon), (64, "ff", .endsTooSoon),
        (64, "026262", .unknownType([0x62, 0x62])), (68, "02000000", .invalidBoolean(2)),
    ]) func `a malformed message is refused`(offset: Int, bytes: String, error: DBusMessageError) {
        var message = GLibMessage.boolean
        let replacement = [UInt8](hexadecimal: bytes)
        message.replaceSubrange(offset..<offset + replacement.count, with: replacement)
        #expect(throws: error) { try take(message) }
    }

    /// Each byte is a length, a type, a part of either, or of a text for some of the messages. A trap would end the
    /// process.
    @Test func `no change of one byte or of one word makes the reader trap`() {
        let values: [UInt8] = Array(0...16) + Array("Bldgsuv{".utf8) + [0x7f, 0x80, 0xfe, 0xff]
        for message in [GLibMessage.double, GLibMessage.bigEndianBoolean, GLibMessage.error] {
            for place in message.indices {
                for value in values {
                    var changed = message
                    changed[place] = value
                    _ = try? take(changed)
                    for next in place..<min(place + 4, message.count) { changed[next] = value }
                    _ = try? take(changed)
                }
            }
        }
    }
}
