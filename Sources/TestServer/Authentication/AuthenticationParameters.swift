import HTTPFields

/// The comma-separated `name=value` pairs after an authentication scheme (RFC 9110 §11.2); names are lower-case.
struct AuthenticationParameters: Hashable {
    private(set) var values: [String: String] = [:]

    /// Returns nil when the text does not follow the grammar or repeats a name.
    init?(_ text: Substring) {
        var rest = Array(text.utf8)[...]
        func skipBlanks() { while let first = rest.first, HTTPFieldSyntax.isBlank(first) { rest.removeFirst() } }
        while true {
            skipBlanks()
            if rest.first == 0x2C {
                rest.removeFirst()
                continue
            }
            if rest.isEmpty { return }
            let name = rest.prefix(while: HTTPFieldSyntax.isToken)
            rest = rest.dropFirst(name.count)
            skipBlanks()
            guard !name.isEmpty, rest.popFirst() == 0x3D else { return nil }
            skipBlanks()
            guard let value = AuthenticationParameters.value(&rest) else { return nil }
            let key = String(decoding: name, as: UTF8.self).lowercased()
            guard values.updateValue(value, forKey: key) == nil else { return nil }
            skipBlanks()
            guard rest.isEmpty || rest.first == 0x2C else { return nil }
        }
    }

    subscript(name: String) -> String? { values[name] }

    private static func value(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.first == 0x22 else {
            let token = rest.prefix { HTTPFieldSyntax.isToken($0) }
            rest = rest.dropFirst(token.count)
            return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
        }
        rest.removeFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case 0x22: return String(decoding: text, as: UTF8.self)
            case 0x5C:
                guard let escaped = rest.popFirst() else { return nil }
                text.append(escaped)
            default: text.append(byte)
            }
        }
        return nil
    }
}
