import OpenSSLTLS

/// The common format of all resume data: a title with a version, lines `name value` with special bytes of the value
/// escaped, an optional attachment of raw bytes, and an HMAC over all of them.
struct ResumeDataFormat {
    private let lines: [(name: String, value: String)]
    /// The attached bytes. They may be long, so they are copied as a whole and never processed byte by byte.
    let attached: [UInt8]?

    static func write(
        title: String, version: Int, _ lines: [(String, String)], attaching attached: [UInt8]? = nil, key: ResumeKey
    ) -> [UInt8] {
        var bytes = Array("\(title) \(version)\n".utf8)
        for (name, value) in lines { bytes += Array("\(name) ".utf8) + escaped(value) + [0x0A] }
        if let attached {
            bytes += Array("\(attachmentName) \(attached.count)\n".utf8)
            bytes += attached
        }
        return bytes + seal(bytes, key)
    }

    /// The name of the last line; its value is the number of attached bytes.
    private static let attachmentName = "attached"
    private static let sealName = "hmac-sha256 "

    private static func seal(_ bytes: [UInt8], _ key: ResumeKey) -> [UInt8] {
        Array("\(sealName)\(Digests.hexadecimal(MessageAuthentication.hmacSHA256(key: key.bytes, bytes)))\n".utf8)
    }

    static func read(_ bytes: [UInt8], title: String, version: Int, key: ResumeKey) throws(ResumeDataError)
        -> ResumeDataFormat
    {
        guard let end = bytes.firstIndex(of: 0x0A), end < 200 else { throw .notOurs }
        let first = String(decoding: bytes[..<end], as: UTF8.self)
        guard first.hasPrefix("AdaptableSession "), let space = first.lastIndex(of: " "),
            let found = Int(first[first.index(after: space)...])
        else { throw .notOurs }
        guard first[..<space] == title else { throw .otherKind(found: String(first[..<space]), wanted: title) }
        // Checked before the HMAC, because another version may end differently. Older versions without an HMAC are
        // rejected here.
        guard found == version else { throw .unknownVersion(found: found, known: version) }
        let sealLength = sealName.utf8.count + 64 + 1
        guard bytes.count > end + sealLength else { throw .damaged }
        let body = Array(bytes.dropLast(sealLength))
        guard MessageAuthentication.areEqual(Array(bytes.suffix(sealLength)), seal(body, key)) else { throw .damaged }
        var lines: [(String, String)] = []
        var start = end + 1
        while start < body.count {
            guard let end = body[start...].firstIndex(of: 0x0A), let space = body[start..<end].firstIndex(of: 0x20),
                let value = unescaped(body[(space + 1)..<end])
            else { throw .damaged }
            let name = String(decoding: body[start..<space], as: UTF8.self)
            start = end + 1
            if name == attachmentName {
                guard Int(value) == body.count - start else { throw .damaged }
                return ResumeDataFormat(lines: lines, attached: Array(body[start...]))
            }
            lines.append((name, value))
        }
        return ResumeDataFormat(lines: lines, attached: nil)
    }

    /// Returns the value of the first line with that name.
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
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            result.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
