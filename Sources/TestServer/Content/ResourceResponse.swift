import AdapterProtocol
import HTTPFields
import ScenarioLanguage

/// The response of a resource: conditions first, then ranges (RFC 9110 §13.2.2), each correct or with the plan's
/// deviations.
struct ResourceResponse {
    let resource: Resource
    let head: RequestHead
    let selected: SelectedRepresentation
    let writer: ResponseWriter

    var plan: ResponsePlan {
        // Conditions and ranges apply to the 200 response (RFC 9110 §13.2.1, §14.2).
        guard resource.status == 200 else { return whole(resource.status) }
        let preconditions = Preconditions(
            etag: selected.etag.flatMap(EntityTag.init(_:)),
            lastModified: selected.lastModified.flatMap { HTTPDate($0, now: writer.date) },
            lastModifiedText: selected.lastModified, date: writer.date)
        switch resource.validation.response {
        case .right: break
        case .ignored: return ranged(honoursRange: preconditions.honoursRange(head))
        case .alwaysMatches:
            if head.isRead, !head.values(of: "if-none-match").isEmpty || !head.values(of: "if-modified-since").isEmpty {
                return notModified
            }
        }
        switch preconditions.evaluate(head) {
        case .failed: return writer.text(412, "A precondition of the request does not hold.", tag)
        case .notModified: return notModified
        case .proceed(let honoursRange): return ranged(honoursRange: honoursRange)
        }
    }

    private var type: [HeaderField] { [HeaderField("Content-Type", resource.contentType)] }
    private var tag: [HeaderField] { selected.etag.map { [HeaderField("ETag", $0)] } ?? [] }
    private var modified: [HeaderField] { selected.lastModified.map { [HeaderField("Last-Modified", $0)] } ?? [] }
    private var expires: [HeaderField] {
        resource.expiresIn.map { [HeaderField("Expires", writer.date.later(by: $0).description)] } ?? []
    }
    private var accepts: [HeaderField] {
        switch resource.ranges.advertisement {
        case .bytes: [HeaderField("Accept-Ranges", "bytes")]
        case .none: [HeaderField("Accept-Ranges", "none")]
        case .absent: []
        }
    }

    private func whole(_ status: Int) -> ResponsePlan {
        let fields = type + tag + modified + expires + selected.codingFields + (status == 200 ? accepts : [])
        return writer.plan(status, fields, body: selected.body, framing: resource.framing, overriding: resource.headers)
    }

    /// Carries the fields that the 200 would have carried (RFC 9110 §15.4.5), unless the plan changes them.
    private var notModified: ResponsePlan {
        let kept = ["cache-control", "content-location", "date", "expires", "vary", "age", "connection"]
        let changed = resource.validation.headers
        let given = resource.headers.filter { field in
            kept.contains { field.name.equalsIgnoringCase($0) }
                && !changed.contains { $0.name.equalsIgnoringCase(field.name) }
        }
        let vary = selected.codingFields.filter { $0.name == "Vary" }
        return writer.plan(304, tag + modified + expires + vary, overriding: given + changed)
    }

    private func ranged(honoursRange: Bool) -> ResponsePlan {
        let ranges = resource.ranges
        let isConditional = !head.values(of: "if-range").isEmpty
        let isHonoured =
            switch ranges.ifRange {
            case .honoured: honoursRange
            case .ignored: true
            case .never: !isConditional
            }
        // GET is the only method with ranges (§14.2).
        guard ranges.response != .whole, isHonoured, head.method == "GET", let asked = head.value(of: "range") else {
            return whole(200)
        }
        let length = selected.body.count
        if ranges.response == .unsatisfiable { return unsatisfiable }
        switch ByteRange(asked, length: length) {
        case .whole: return whole(200)
        case .unsatisfiable: return unsatisfiable
        case .part(let range) where ranges.response == .part: return part(bent(range), isConditional)
        case .part(let range): return multipart([bent(range)], isConditional)
        case .parts(let parts): return multipart(parts.map(bent), isConditional)
        }
    }

    private var unsatisfiable: ResponsePlan {
        let length = selected.body.count
        let place: [HeaderField] =
            switch resource.ranges.unsatisfiedRange {
            case .right, .unknownLength: [HeaderField("Content-Range", "bytes */\(length)")]
            case .absent: []
            case .text(let text): [HeaderField("Content-Range", text)]
            }
        return writer.text(416, "The representation has \(length) bytes.", place)
    }

    /// Returns the range that is really sent; it keeps at least one byte.
    private func bent(_ range: Range<Int64>) -> Range<Int64> {
        let ranges = resource.ranges
        let last = selected.body.count - 1
        let start = min(max(0, ranges.start?.bytes ?? range.lowerBound + ranges.shift), last)
        return start..<max(start + 1, range.upperBound - ranges.short.bytes)
    }

    private func place(_ range: Range<Int64>) -> String? {
        let sent = "bytes \(range.lowerBound)-\(range.upperBound - 1)/"
        return switch resource.ranges.contentRange {
        case .right: sent + "\(selected.body.count)"
        case .absent: nil
        case .unknownLength: sent + "*"
        case .text(let text): text
        }
    }

    /// A client that sent If-Range has the other fields already (§15.3.7), unless the plan specifies others.
    private func partFields(_ isConditional: Bool) -> [HeaderField] {
        func validator(_ name: String, _ wanted: RangePlan.Validator, _ served: [HeaderField]) -> [HeaderField] {
            switch wanted {
            case .asServed: served
            case .absent: []
            case .text(let text): [HeaderField(name, text)]
            }
        }
        return validator("Last-Modified", resource.ranges.lastModified, isConditional ? [] : modified)
            + validator("ETag", resource.ranges.etag, tag) + accepts + expires
            + selected.codingFields.filter { !isConditional || $0.name == "Vary" }
    }

    private func part(_ range: Range<Int64>, _ isConditional: Bool) -> ResponsePlan {
        let fields = (isConditional ? [] : type) + partFields(isConditional)
        let place = place(range).map { [HeaderField("Content-Range", $0)] } ?? []
        return writer.plan(
            206, fields + place, body: selected.body.part(range), framing: resource.framing,
            overriding: resource.headers)
    }

    private func multipart(_ parts: [Range<Int64>], _ isConditional: Bool) -> ResponsePlan {
        // Many or large parts may be refused (§14.2), and these would be held in memory.
        guard parts.reduce(0, { $0 + Int64($1.count) }) <= ResourceResponse.largestMultipart else { return whole(200) }
        let boundary = "crosswind-part"
        var body: [UInt8] = []
        for range in parts {
            var lines = "--\(boundary)\r\nContent-Type: \(resource.contentType)\r\n"
            if let place = place(range) { lines += "Content-Range: \(place)\r\n" }
            body += Array((lines + "\r\n").utf8) + selected.body.part(range).allBytes + [0x0D, 0x0A]
        }
        body += Array("--\(boundary)--\r\n".utf8)
        let type = HeaderField("Content-Type", "multipart/byteranges; boundary=\(boundary)")
        return writer.plan(
            206, [type] + partFields(isConditional), body: .bytes(body), framing: resource.framing,
            overriding: resource.headers)
    }

    private static let largestMultipart: Int64 = 16 << 20
}

extension RequestHead {
    fileprivate var isRead: Bool { method == "GET" || method == "HEAD" }
}
