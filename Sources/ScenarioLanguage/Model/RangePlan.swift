/// The responses of a resource to range requests: correct (RFC 9110 §14), or with a defect that a client must detect.
package struct RangePlan: Hashable, Sendable {
    package enum Response: String, CaseIterable, Hashable, Sendable {
        /// 206 with the requested range, multipart for several ranges.
        case part
        /// 200, as if the request had no Range field.
        case whole
        /// `multipart/byteranges` also for a single range.
        case multipart
        /// 416 for every range.
        case unsatisfiable
    }
    package enum Advertisement: String, CaseIterable, Hashable, Sendable {
        case bytes, none, absent
    }
    package enum IfRange: String, CaseIterable, Hashable, Sendable {
        case honoured
        /// The part is sent even if the validator does not match.
        case ignored
        /// No validator matches.
        case never
    }
    package enum Place: Hashable, Sendable {
        /// The correct value.
        case right
        case absent
        /// `bytes N-M/*`.
        case unknownLength
        /// This value, independent of the content.
        case text(String)
    }
    /// A validator field of the 206.
    package enum Validator: Hashable, Sendable {
        case asServed
        case absent
        case text(String)
    }
    package var response = Response.part
    package var advertisement = Advertisement.bytes
    package var ifRange = IfRange.honoured
    /// The number of bytes by which the part begins later than requested (negative: earlier); Content-Range agrees with
    /// the part.
    package var shift: Int64 = 0
    /// The offset at which every part begins, whatever the request; Content-Range agrees with the part.
    package var start: ByteCount?
    /// The number of bytes by which the part ends too early; Content-Range agrees with the part.
    package var short = ByteCount.zero
    package var contentRange = Place.right
    package var etag = Validator.asServed
    package var lastModified = Validator.asServed
    /// The Content-Range of a 416; `.right` is `bytes */L`.
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
