/// The serialized form of an `UploadResumeRecord`, in the format that all resume data shares.
package enum UploadResumeData {
    package static let version = 4
    private static let title = "AdaptableSession upload"

    package static func write(_ record: UploadResumeRecord, key: ResumeKey = .ofUser) -> [UInt8] {
        var lines: [(String, String)] = [
            ("url", record.url), ("method", record.method), ("location", record.location),
            ("interop", "\(record.version.rawValue)"),
            ("length", "\(record.length)"), ("sent", "\(record.sent)"),
        ]
        var attached: [UInt8]?
        switch record.body {
        case .file(let path, let mark):
            lines += [("file", path), ("modified", "\(mark.modified)"), ("number", "\(mark.number)")]
        case .bytes(let bytes): attached = bytes
        }
        for field in record.fields.fields { lines.append(("field", "\(field.name): \(field.value)")) }
        return ResumeDataFormat.write(title: title, version: version, lines, attaching: attached, key: key)
    }

    package static func read(_ bytes: [UInt8], key: ResumeKey = .ofUser) throws(ResumeDataError) -> UploadResumeRecord {
        let lines = try ResumeDataFormat.read(bytes, title: title, version: version, key: key)
        guard let version = UploadVersion(rawValue: Int(clamping: try lines.number("interop"))) else {
            throw .missing("interop")
        }
        let body: UploadResumeRecord.Body
        if let bytes = lines.attached {
            body = .bytes(bytes)
        } else {
            guard let modified = Double(try lines.text("modified")) else { throw .missing("modified") }
            body = .file(
                try lines.text("file"),
                FileIdentity(length: try lines.number("length"), modified: modified, number: try lines.number("number"))
            )
        }
        return UploadResumeRecord(
            url: try lines.text("url"), method: try lines.text("method"), fields: lines.fields,
            location: try lines.text("location"),
            version: version, length: try lines.number("length"), sent: try lines.number("sent"), body: body)
    }
}
