import HTTPFields

/// The data that a later run of the program needs to resume a download.
package struct DownloadResumeRecord: Hashable, Sendable {
    /// The URL of the application's request, before redirects.
    package var url: String
    /// The URL of the response, after redirects.
    package var respondedBy: String
    /// The header fields that the application set on the request.
    package var fields: HeaderFields
    /// The number of valid bytes in the file.
    package var received: Int64
    /// The complete length in bytes; nil when the server did not send it.
    package var total: Int64?
    package var validator: DownloadValidator
    /// The path of the partial file.
    package var file: String
    /// SHA-256 over the last bytes of the partial file, at most `tailLength` of them, in hexadecimal.
    package var tail: String
    /// The interface restrictions and the request timeout in seconds, for the session that resumes.
    package var forbids: PathTraits
    package var timeout: Double?

    /// Long enough to detect that another program changed the file, short enough to be read at once.
    package static let tailLength: Int64 = 65_536

    package init(
        url: String, respondedBy: String, fields: HeaderFields = HeaderFields(), received: Int64, total: Int64? = nil,
        validator: DownloadValidator, file: String, tail: String, forbids: PathTraits = [], timeout: Double? = nil
    ) {
        self.url = url
        self.respondedBy = respondedBy
        self.fields = fields
        self.received = received
        self.total = total
        self.validator = validator
        self.file = file
        self.tail = tail
        self.forbids = forbids
        self.timeout = timeout
    }

    /// Returns the validator with which this response could be resumed if it ended now; nil when it could not. The file
    /// holds `received` bytes of it.
    ///
    /// `status` and `responseFields` are those of the first response. A 206 is passed here only if this session
    /// requested it when it resumed.
    package static func validator(
        method: String, scheme: String, status: Int, responseFields: HeaderFields, received: Int64,
        requestHasRange: Bool,
        policy: DownloadResumePolicy = DownloadResumePolicy()
    ) -> DownloadValidator? {
        guard method == "GET", scheme == "http" || scheme == "https", status == 200, !requestHasRange,
            received > 0
        else { return nil }
        if policy.honoursRefusedRanges,
            responseFields.list("Accept-Ranges").contains(where: { HTTPFieldSyntax.equal($0, "none") })
        {
            return nil
        }
        if !policy.resumesEncodedContent,
            responseFields.list("Content-Encoding").contains(where: { !HTTPFieldSyntax.equal($0, "identity") })
        {
            return nil
        }
        return DownloadValidator(responseFields, policy: policy)
    }
}
