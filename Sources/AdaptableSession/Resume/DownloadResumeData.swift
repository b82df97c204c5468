/// The serialized form of a `DownloadResumeRecord`: lines with a name and a value, followed by an HMAC over them. Only
/// this user's sessions can create the HMAC, so both accidental and deliberate changes are detected.
package enum DownloadResumeData {
    package static let version = 2
    private static let title = "AdaptableSession download"

    package static func write(_ record: DownloadResumeRecord, key: ResumeKey = .ofUser) -> [UInt8] {
        var lines: [(String, String)] = [
            ("url", record.url), ("answered-by", record.respondedBy), ("received", "\(record.received)"),
            ("file", record.file),
            ("tail", record.tail), ("forbids", "\(record.forbids.rawValue)"),
        ]
        if let total = record.total { lines.append(("total", "\(total)")) }
        if let timeout = record.timeout { lines.append(("timeout", "\(timeout)")) }
        switch record.validator {
        case .entityTag(let text): lines.append(("entity-tag", text))
        case .date(let text): lines.append(("date", text))
        case .weak(let text): lines.append(("weak", text))
        }
        for field in record.fields.fields { lines.append(("field", "\(field.name): \(field.value)")) }
        return ResumeDataFormat.write(title: title, version: version, lines, key: key)
    }

    package static func read(_ bytes: [UInt8], key: ResumeKey = .ofUser) throws(ResumeDataError) -> DownloadResumeRecord
    {
        let lines = try ResumeDataFormat.read(bytes, title: title, version: version, key: key)
        let received = try lines.number("received")
        let validator: DownloadValidator
        if let text = lines["entity-tag"] {
            validator = .entityTag(text)
        } else if let text = lines["date"] {
            validator = .date(text)
        } else {
            validator = .weak(try lines.text("weak"))
        }
        return DownloadResumeRecord(
            url: try lines.text("url"), respondedBy: try lines.text("answered-by"), fields: lines.fields,
            received: received,
            total: lines["total"].flatMap { Int64($0) }, validator: validator, file: try lines.text("file"),
            tail: try lines.text("tail"),
            forbids: PathTraits(rawValue: UInt8(truncatingIfNeeded: try lines.number("forbids"))),
            timeout: lines["timeout"].flatMap(Double.init))
    }
}
