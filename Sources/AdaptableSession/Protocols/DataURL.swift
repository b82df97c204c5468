import Foundation
import HTTPFields

/// The content of a `data:` URL (RFC 2397).
package struct DataURL: Equatable {
    package enum Problem: Error, Equatable {
        case noComma
        case badBase64
        case badPercent
    }

    var mimeType: String
    /// The `charset` parameter of the media type.
    var charset: String?
    var data: Data

    /// Parses a whole URL; a fragment does not belong to the data.
    package init(_ text: String) throws(Problem) {
        let content = text.dropFirst("data:".count).prefix { $0 != "#" }
        guard let comma = content.firstIndex(of: ",") else { throw .noComma }
        var parameters = content[..<comma].split(separator: ";", omittingEmptySubsequences: false).map { part in
            (part.removingPercentEncoding ?? String(part)).trimmingCharacters(in: .whitespaces)
        }
        let isBase64 = parameters.count > 1 && HTTPFieldSyntax.equal(parameters[parameters.count - 1], "base64")
        if isBase64 { parameters.removeLast() }
        let type = parameters.first ?? ""
        charset =
            parameters.dropFirst().lazy.compactMap { parameter -> String? in
                let pair = parameter.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, HTTPFieldSyntax.equal(String(pair[0]), "charset") else { return nil }
                return pair[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
            }.first
        // §2: the default is text/plain;charset=US-ASCII, and the type alone may be omitted.
        mimeType = type.isEmpty ? "text/plain" : HTTPFieldSyntax.lowercased(type)
        if type.isEmpty, charset == nil { charset = "US-ASCII" }
        let bytes = try Self.unescaped(content[content.index(after: comma)...])
        data = isBase64 ? try Self.fromBase64(bytes) : bytes
    }

    private static func unescaped(_ text: Substring) throws(Problem) -> Data {
        var data = Data()
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                data.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal) else {
                throw .badPercent
            }
            data.append(high << 4 | low)
        }
        return data
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }

    /// Decodes base64. White space within it and missing padding are accepted because both occur in real URLs.
    private static func fromBase64(_ bytes: Data) throws(Problem) -> Data {
        var text = bytes.filter { ![0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }
        while text.last == UInt8(ascii: "=") { text.removeLast() }
        guard text.count % 4 != 1 else { throw .badBase64 }
        text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - text.count % 4) % 4))
        guard let data = Data(base64Encoded: text) else { throw .badBase64 }
        return data
    }
}
