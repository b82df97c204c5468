/// Items of structured fields (RFC 8941).
package enum StructuredField {
    /// Parses a boolean (§3.3.6).
    package static func boolean(_ text: String?) -> Bool? {
        switch text {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    /// Parses an integer without a sign: at most 15 digits (§3.3.1).
    package static func integer(_ text: String?) -> Int64? {
        guard let text, (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
