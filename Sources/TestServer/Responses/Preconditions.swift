import HTTPFields

/// Evaluates the conditional fields of a request, in the order of RFC 9110 §13.2.2.
struct Preconditions {
    enum Verdict: Hashable {
        case proceed(honoursRange: Bool)
        case notModified
        case failed
    }

    var etag: EntityTag?
    var lastModified: HTTPDate?
    /// Last-Modified as sent, because If-Range compares the text.
    var lastModifiedText: String?
    /// The Date of this response.
    var date: HTTPDate

    func evaluate(_ head: RequestHead) -> Verdict {
        let isRead = head.method == "GET" || head.method == "HEAD"
        let match = head.values(of: "if-match")
        if !match.isEmpty {
            let held = matches(match) { tag in etag.map(tag.matchesStrongly) ?? false }
            if !held { return .failed }
        } else if let limit = time(head, "if-unmodified-since"), let lastModified,
            lastModified > limit
        {
            return .failed
        }
        let noneMatch = head.values(of: "if-none-match")
        if !noneMatch.isEmpty {
            let held = matches(noneMatch) { tag in etag.map(tag.matchesWeakly) ?? false }
            if held { return isRead ? .notModified : .failed }
        } else if isRead, let since = time(head, "if-modified-since"), let lastModified,
            lastModified <= since
        {
            return .notModified
        }
        return .proceed(honoursRange: honoursRange(head))
    }

    /// Evaluates If-Range: strong comparison only; a date counts when it is exactly the text of Last-Modified and at
    /// least a second old (§13.1.5, §8.8.2.2). A value that is not a validator does not match.
    func honoursRange(_ head: RequestHead) -> Bool {
        let fields = head.values(of: "if-range")
        if fields.isEmpty { return true }
        guard fields.count == 1 else { return false }
        if let tag = EntityTag(fields[0]) { return etag?.matchesStrongly(tag) ?? false }
        guard let asked = HTTPDate(fields[0], now: date), fields[0] == lastModifiedText else { return false }
        return date.seconds >= asked.seconds + 1
    }

    private func time(_ head: RequestHead, _ name: String) -> HTTPDate? {
        head.value(of: name).flatMap { HTTPDate($0, now: date) }
    }

    private func matches(_ values: [String], _ test: (EntityTag) -> Bool) -> Bool {
        values.contains { $0.trimmedOfBlanks == "*" || EntityTag.list($0).contains(where: test) }
    }
}
