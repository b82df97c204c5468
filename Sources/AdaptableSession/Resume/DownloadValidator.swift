import Foundation

/// What identifies the version of a resource that a part of a file belongs to.
package enum DownloadValidator: Hashable, Sendable {
    case entityTag(String)
    /// Last-Modified as the server wrote it; If-Range takes it back letter for letter.
    case date(String)
    /// No validator that may be used in If-Range: only a wrong policy makes one of these.
    case weak(String)

    /// The strongest that the answer offers: a tag if there is one, a date only without one (RFC 9110 §13.1.5). nil: it cannot be resumed.
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
        // Both come from the server, so the client's clock plays no part; it only settles the century of two-digit years.
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

    /// Whether a 206 with these fields belongs to the same version. A server should leave the fields out of an answer to If-Range
    /// (RFC 9110 §15.3.7), which then says that it does.
    package func agrees(with fields: HeaderFields) -> Bool {
        switch self {
        case .entityTag(let tag): fields["ETag"].map { $0 == tag } ?? true
        // A date was chosen because there was no tag; one that appears now says nothing of the version before.
        case .date(let date): fields["Last-Modified"].map { $0 == date } ?? true
        case .weak(let tag):
            fields["ETag"].map { DownloadValidator.opaque($0) == DownloadValidator.opaque(tag) } ?? true
        }
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
