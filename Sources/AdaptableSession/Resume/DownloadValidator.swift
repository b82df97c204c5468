import Foundation
import HTTPFields

/// The validator that identifies the version of a resource.
package enum DownloadValidator: Hashable, Sendable {
    case entityTag(String)
    /// The Last-Modified value exactly as the server sent it; If-Range must repeat it verbatim.
    case date(String)
    /// A validator that must not be used in If-Range; created only under a faulty policy.
    case weak(String)

    /// Returns the strongest validator of a response: its entity tag, or its date without a tag (RFC 9110
    /// §13.1.5). nil: the download cannot be resumed.
    package init?(_ fields: HeaderFields, policy: DownloadResumePolicy) {
        if let tag = fields["ETag"] {
            if DownloadValidator.isStrong(tag) {
                self = .entityTag(tag)
            } else if policy.needsStrongValidator {
                return nil
            } else {
                self = .weak(tag)
            }
            return
        }
        guard policy.acceptsDates, let modified = fields["Last-Modified"], let sent = fields["Date"] else { return nil }
        // Both dates come from the server, so the client's clock matters only for the century of two-digit years.
        let now = Date()
        guard let changed = HTTPDate.parse(modified, now: now), let answered = HTTPDate.parse(sent, now: now),
            answered.timeIntervalSince(changed) >= policy.dateMargin
        else { return nil }
        self = .date(modified)
    }

    package var fieldValue: String {
        switch self {
        case .entityTag(let text), .date(let text), .weak(let text): text
        }
    }

    package static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count >= 2 && tag.utf8.first == 0x22 && tag.utf8.last == 0x22
            && !tag.dropFirst().dropLast().contains("\"")
    }

    /// Returns true if a 206 with these fields belongs to the same version. A server should omit the fields in a
    /// response to If-Range (RFC 9110 §15.3.7); absent fields count as agreement.
    package func agrees(with fields: HeaderFields) -> Bool {
        switch self {
        case .entityTag(let tag): fields["ETag"].map { $0 == tag } ?? true
        // A date is used only without an entity tag; a tag that appears now is unrelated to the earlier version.
        case .date(let date): fields["Last-Modified"].map { $0 == date } ?? true
        case .weak(let tag):
            fields["ETag"].map { DownloadValidator.opaque($0) == DownloadValidator.opaque(tag) } ?? true
        }
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
