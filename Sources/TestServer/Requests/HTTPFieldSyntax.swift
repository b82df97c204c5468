/// ASCII rules of HTTP fields (RFC 9110 §5.6).
enum HTTPFieldSyntax {
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }
}

extension StringProtocol {
    /// Compares without case, in ASCII, as field names and most tokens of HTTP do (RFC 9110 §5.1).
    func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { HTTPFieldSyntax.lowered($0) == HTTPFieldSyntax.lowered($1) }
    }

    var trimmedOfBlanks: String {
        String(decoding: HTTPFieldSyntax.trimmed(ArraySlice(utf8)), as: UTF8.self)
    }
}
