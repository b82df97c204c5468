import AdapterProtocol

/// `UTF-8''J%C3%A4s%C3%B8n`: a parameter with non-ASCII characters (RFC 5987 §3.2).
enum ExtendedParameterValue {
    /// Returns nil when the text does not have this form or uses another character set.
    static func decode(_ text: String) -> String? {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].equalsIgnoringCase("UTF-8") else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(parts[2].utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            rest = rest.dropFirst(2)
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
