/// How a resource answers requests for a part of it: by the book (RFC 9110 §14), or with one of the traps that a client must see
/// through.
package struct RangePlan: Hashable, Sendable {
    package enum Response: String, CaseIterable, Hashable, Sendable {
        /// 206 for what is asked, multipart for several parts.
        case part
        /// 200, as though there were no Range.
        case whole
        /// `multipart/byteranges` also for one part.
        case multipart
        /// 416 whatever is asked.
        case unsatisfiable
    }
    package enum Advertisement: String, CaseIterable, Hashable, Sendable {
        case bytes, none, absent
    }
    package enum IfRange: String, CaseIterable, Hashable, Sendable {
        case honoured
        /// The part is sent though the validator does not match.
        case ignored
        /// Nothing matches.
        case never
    }
    package enum Place: Hashable, Sendable {
        /// As asked, and as sent.
        case right
        case absent
        /// `bytes N-M/*`.
        case unknownLength
        /// This value, whatever is sent.
        case text(String)
    }
    /// A field of the 206.
    package enum Validator: Hashable, Sendable {
        case asServed
        case absent
        case text(String)
    }
    package var response = Response.part
    package var advertisement = Advertisement.bytes
    package var ifRange = IfRange.honoured
    /// The part begins so many bytes later than asked, or earlier; Content-Range says so.
    package var shift: Int64 = 0
    /// The part begins here, whatever is asked; Content-Range says so.
    package var start: ByteCount?
    /// The part ends so many bytes before it should; Content-Range says so.
    package var short = ByteCount.zero
    package var contentRange = Place.right
    package var etag = Validator.asServed
    package var lastModified = Validator.asServed
    /// Content-Range of a 416; `.right` is `bytes */L`.
    package var unsatisfiedRange = Place.right
    package init() {}

    /// `ranges: false`.
    package static var unsupported: RangePlan {
        var plan = RangePlan()
        plan.response = .whole
        plan.advertisement = .none
        return plan
    }
}
