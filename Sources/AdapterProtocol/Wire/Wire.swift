/// Version 2 of the adapter protocol: one JSON object per line, encoded and decoded by hand. `AdapterProtocol.docc` has
/// the grammar.
package enum Wire {
    package static let version = 2
    /// The maximum number of file bytes in one `fileContent` event.
    package static let filePiece = 64 * 1024
    /// The maximum number of body bytes in one `didReceiveData` event; a larger piece is reported in several events, so
    /// that every line stays within the limit of `LineReader`.
    package static let dataPiece = 4 * 1024 * 1024

    /// Returns the beginning of a line, for messages.
    package static func excerpt(of line: [UInt8]) -> String {
        let text = String(decoding: line.prefix(200), as: UTF8.self)
        return line.count > 200 ? text + "…" : text
    }
}

/// The fields of one line of the protocol.
typealias WireFields = JSONFields<WireError>
typealias WireObject = JSONObject

extension WireFields {
    /// Decodes a line, which must be an object of this version.
    static func open(_ line: [UInt8], naming key: String) throws(WireError) -> WireFields {
        guard let values = JSONValue.parse(line)?.object else {
            throw .notJSON(excerpt: Wire.excerpt(of: line))
        }
        guard values["v"]?.integer == Int64(Wire.version) else {
            throw .wrongVersion(found: values["v"].map { $0.line } ?? "none", supported: Wire.version)
        }
        guard let kind = values[key]?.text else { throw .missingField(key, in: "a line") }
        return WireFields(kind: kind, values: values)
    }
}
