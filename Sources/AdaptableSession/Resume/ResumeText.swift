import OpenSSLTLS

/// The frame that all resume data shares: a title with its version, lines `name value` with the value's special bytes escaped, a
/// seal over all of them.
struct ResumeText {
    private let lines: [(name: String, value: String)]

    static func write(title: String, version: Int, _ lines: [(String, String)], key: ResumeKey) -> [UInt8] {
        var bytes = Array("\(title) \(version)\n".utf8)
        for (name, value) in lines { bytes += Array("\(name) ".utf8) + escaped(value) + [0x0A] }
        return bytes + seal(bytes, key)
    }

    private static let sealName = "hmac-sha256 "

    private static func seal(_ bytes: [UInt8], _ key: ResumeKey) -> [UInt8] {
        Array("\(sealName)\(Digests.hexadecimal(MessageAuthentication.hmacSHA256(key: key.bytes, bytes)))\n".utf8)
    }

    static func read(_ bytes: [UInt8], title: String, version: Int, key: ResumeKey) throws(ResumeDataError) -> ResumeText {
        guard let end = bytes.firstIndex(of: 0x0A), end < 200 else { throw .notOurs }
        let first = String(decoding: bytes[..<end], as: UTF8.self)
        guard first.hasPrefix("AdaptableSession "), let space = first.lastIndex(of: " "),
            let found = Int(first[first.index(after: space)...])
        else { throw .notOurs }
        guard first[..<space] == title else { throw .otherKind(found: String(first[..<space]), wanted: title) }
        // Before the seal: another version may end in another way. An older one was not sealed, and is believed no more.
        guard found == version else { throw .unknownVersion(found: found, known: version) }
        let sealLength = sealName.utf8.count + 64 + 1
        guard bytes.count > end + sealLength else { throw .damaged }
        let body = Array(bytes.dropLast(sealLength))
        guard MessageAuthentication.areEqual(Array(bytes.suffix(sealLength)), seal(body, key)) else { throw .damaged }
        var lines: [(String, String)] = []
        for line in body[(end + 1)...].split(separator: 0x0A) {
            guard let space = line.firstIndex(of: 0x20), let value = unescaped(line[(space + 1)...]) else { throw .damaged }
            lines.append((String(decoding: line[..<space], as: UTF8.self), value))
        }
        return ResumeText(lines: lines)
    }

    /// The first of that name.
    subscript(name: String) -> String? { lines.first { $0.name == name }?.value }

    func text(_ name: String) throws(ResumeDataError) -> String {
        guard let value = self[name] else { throw .missing(name) }
        return value
    }

    func number(_ name: String) throws(ResumeDataError) -> Int64 {
        guard let value = Int64(try text(name)), value >= 0 else { throw .missing(name) }
        return value
    }

    var fields: HeaderFields {
        var fields = HeaderFields()
        for line in lines where line.name == "field" {
            guard let colon = line.value.firstIndex(of: ":") else { continue }
            fields.append(String(line.value[..<colon]), String(line.value[line.value.index(after: colon)...]))
        }
        return fields
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String { Digests.hexadecimal(bytes) }

    static func bytes(hexadecimal text: String) -> [UInt8]? {
        guard text.utf8.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for digit in text.utf8 {
            let value: UInt8
            switch digit {
            case 0x30...0x39: value = digit - 0x30
            case 0x61...0x66: value = digit - 0x61 + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    private static func escaped(_ text: String) -> [UInt8] {
        text.utf8.flatMap { byte -> [UInt8] in
            byte == 0x25 || byte < 0x20 ? Array("%".utf8) + Array(Digests.hexadecimal([byte]).utf8) : [byte]
        }
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                result.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            result.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
