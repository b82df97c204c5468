/// How a route offers to resume uploads (draft-ietf-httpbis-resumable-upload); its content is the answer to a complete upload.
package struct ResumableUploadPlan: Hashable, Sendable {
    /// What clients and servers of different drafts know each other by (Upload-Draft-Interop-Version).
    package enum Version: Int, CaseIterable, Comparable, Hashable, Sendable {
        /// Draft -01, with Upload-Incomplete.
        case version3 = 3
        /// Draft -03, with Upload-Complete and word of progress.
        case version5 = 5
        /// Drafts -04 and -05, with application/partial-upload and Upload-Limit.
        case version6 = 6
        /// The drafts from -08 on.
        case version8 = 8
        package static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
    }

    package var version = Version.version8
    /// Each upload has the version that its creation names, in place of `version`.
    package var acceptsAnyVersion = false
    /// A 104 response tells the upload's own address.
    package var announces = true
    /// A 104 response tells the offset each time so much more has come; nil: none does.
    package var progressEvery: ByteCount?
    /// After a cut the origin has kept a multiple of so many bytes only.
    package var keepsMultiplesOf = ByteCount(1)!
    /// Uploads longer than this are refused with 413.
    package var maximumSize: ByteCount?
    package init() {}
}
