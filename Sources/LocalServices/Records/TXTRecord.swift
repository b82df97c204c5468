/// The attributes of a service as the data of a TXT record (RFC 6763 §6).
package enum TXTRecord {
    /// The data of a service without attributes: one empty string, because a TXT record cannot be empty (§6.1).
    package static let empty: [UInt8] = [0]

    /// Returns the data for attributes, sorted by key. Returns nil if a key is empty or has `=` or bytes that are not
    /// printable ASCII (§6.4), if one attribute is longer than 255 bytes, or all of them are longer than 8,900 (§6.2).
    package static func data(_ attributes: [String: [UInt8]]) -> [UInt8]? {
        var data: [UInt8] = []
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
            let text = Array(key.utf8) + [0x3d] + value
            guard !key.isEmpty, key.utf8.allSatisfy({ (0x20...0x7e).contains($0) && $0 != 0x3d }), text.count <= 255
            else { return nil }
            data += [UInt8(text.count)] + text
        }
        guard data.count <= 8_900 else { return nil }
        return data.isEmpty ? empty : data
    }

    /// Reads attributes. Strings without a key are ignored, a key without a value has an empty one, and of equal keys
    /// the first counts, compared without case (§6.4). A string that ends after the data ends the reading.
    package static func attributes(_ data: [UInt8]) -> [String: [UInt8]] {
        var attributes: [String: [UInt8]] = [:]
        var known: Set<String> = []
        var place = 0
        while place < data.count {
            let end = place + 1 + Int(data[place])
            guard end <= data.count else { break }
            let parts = data[place + 1..<end].split(separator: 0x3d, maxSplits: 1, omittingEmptySubsequences: false)
            place = end
            guard let first = parts.first, !first.isEmpty, let key = String(validating: first, as: UTF8.self),
                known.insert(key.lowercased()).inserted
            else { continue }
            attributes[key] = parts.count == 2 ? Array(parts[1]) : []
        }
        return attributes
    }
}
