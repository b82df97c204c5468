/// A route's support for resumable uploads (draft-ietf-httpbis-resumable-upload); the route's content is the response
/// to a complete upload.
package struct ResumableUploadPlan: Hashable, Sendable {
    /// The interop version by which clients and servers recognise their draft (Upload-Draft-Interop-Version).
    package enum Version: Int, CaseIterable, Comparable, Hashable, Sendable {
        /// Draft -01, with Upload-Incomplete.
        case version3 = 3
        /// Draft -03, with Upload-Complete and progress responses.
        case version5 = 5
        /// Drafts -04 and -05, with application/partial-upload and Upload-Limit.
        case version6 = 6
        /// The drafts from -08 on.
        case version8 = 8
        package static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
    }

    package var version = Version.version8
    /// Each upload uses the version that its creation request names, instead of `version`.
    package var acceptsAnyVersion = false
    /// A 104 response announces the URL of the upload.
    package var announces = true
    /// The number of bytes after which a 104 response reports the new offset; nil: never.
    package var progressEvery: ByteCount?
    /// After an interruption the origin has kept only a multiple of this many bytes.
    package var keepsMultiplesOf = ByteCount(1)!
    /// Uploads longer than this are refused with 413.
    package var maximumSize: ByteCount?
    package init() {}
}
