/// The written form of an `UploadResumeRecord`, in the frame that all resume data shares.
package enum UploadResumeData {
    package static let version = 2
    private static let title = "AdaptableSession upload"

    package static func write(_ record: UploadResumeRecord, key: ResumeKey = .ofUser) -> [UInt8] {
        var lines: [(String, String)] = [
            ("url", record.url), ("method", record.method), ("location", record.location), ("interop", "\(record.version.rawValue)"),
            ("length", "\(record.length)"),
        ]
        switch record.body {
        case .file(let path): lines.append(("file", path))
        // In hexadecimal: lines are text, and whoever uploads much does so from a file.
        case .bytes(let bytes): lines.append(("bytes", ResumeText.hexadecimal(bytes)))
        }
        for field in record.fields.fields { lines.append(("field", "\(field.name): \(field.value)")) }
        return ResumeText.write(title: title, version: version, lines, key: key)
    }

    package static func read(_ bytes: [UInt8], key: ResumeKey = .ofUser) throws(ResumeDataError) -> UploadResumeRecord {
        let lines = try ResumeText.read(bytes, title: title, version: version, key: key)
        guard let version = UploadVersion(rawValue: Int(clamping: try lines.number("interop"))) else { throw .missing("interop") }
        let body: UploadResumeRecord.Body
        if let path = lines["file"] {
            body = .file(path)
        } else if let bytes = ResumeText.bytes(hexadecimal: try lines.text("bytes")) {
            body = .bytes(bytes)
        } else {
            throw .damaged
        }
        return UploadResumeRecord(
            url: try lines.text("url"), method: try lines.text("method"), fields: lines.fields, location: try lines.text("location"),
            version: version, length: try lines.number("length"), body: body)
    }
}
