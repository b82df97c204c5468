/// The wire format of ALPN's list: each name is preceded by its length (RFC 7301 §3.1).
enum ProtocolList {
    static func encode(_ names: [String]) throws(TLSError) -> [UInt8] {
        var list: [UInt8] = []
        for name in names {
            let bytes = Array(name.utf8)
            guard !bytes.isEmpty, bytes.count < 256 else {
                throw .invalid(what: "an ALPN name", found: name, allowed: "1 to 255 bytes")
            }
            list.append(UInt8(bytes.count))
            list += bytes
        }
        return list
    }

    /// Parses a list; nil if a length exceeds the rest.
    static func decode(_ list: some Collection<UInt8>) -> [String]? {
        var names: [String] = []
        var rest = list[...]
        while let length = rest.popFirst() {
            guard rest.count >= Int(length) else { return nil }
            names.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self))
            rest = rest.dropFirst(Int(length))
        }
        return names
    }
}
