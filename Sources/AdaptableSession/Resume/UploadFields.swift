import HTTPFields

/// The header fields of the resumable upload draft, in the spelling of each version.
package enum UploadFields {
    package static let interopVersion = "Upload-Draft-Interop-Version"
    package static let mediaType = "application/partial-upload"

    package static func version(_ version: UploadVersion) -> HeaderFields { [interopVersion: "\(version.rawValue)"] }

    package static func append(isComplete: Bool, to fields: inout HeaderFields, _ version: UploadVersion) {
        switch version {
        case .version3: fields.append("Upload-Incomplete", isComplete ? "?0" : "?1")
        case .version5, .version6, .version8: fields.append("Upload-Complete", isComplete ? "?1" : "?0")
        }
    }

    /// Reads either of the two fields: servers of versions 5 and 6 have been observed to send the older one.
    package static func isComplete(_ fields: HeaderFields) -> Bool? {
        StructuredField.boolean(fields["Upload-Complete"])
            ?? StructuredField.boolean(fields["Upload-Incomplete"]).map { !$0 }
    }

    package static func offset(_ fields: HeaderFields) -> Int64? { StructuredField.integer(fields["Upload-Offset"]) }
    package static func length(_ fields: HeaderFields) -> Int64? { StructuredField.integer(fields["Upload-Length"]) }

    /// Returns a member of the dictionary field `Upload-Limit`.
    package static func limit(_ name: String, _ fields: HeaderFields) -> Int64? {
        for member in fields.list("Upload-Limit") {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, HTTPFieldSyntax.trimmed(parts[0]) == name else { continue }
            return StructuredField.integer(HTTPFieldSyntax.trimmed(parts[1].prefix { $0 != ";" }))
        }
        return nil
    }
}
