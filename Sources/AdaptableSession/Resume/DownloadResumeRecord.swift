/// Everything that a later run of the program needs to continue a download.
package struct DownloadResumeRecord: Hashable, Sendable {
    /// Of the request that the application made, before redirects.
    package var url: String
    /// Where the answer came from, after them.
    package var respondedBy: String
    /// The fields that the application gave the request.
    package var fields: HeaderFields
    /// How many bytes of the file are good.
    package var received: Int64
    /// The whole length, where the server said it.
    package var total: Int64?
    package var validator: DownloadValidator
    /// The file with the part.
    package var file: String
    /// SHA-256 over the last bytes of the part, at most `tailLength` of them, in hexadecimal.
    package var tail: String
    /// What the request forbids and how long it may be silent, for the session that goes on.
    package var forbids: PathTraits
    package var timeout: Double?

    /// Enough to notice that another program wrote in the file, little enough to read at once.
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

    /// What could be resumed of this answer, were it to end now; nil when it could not. `received` bytes of it are in the file.
    ///
    /// `status` and `responseFields` are those of the first answer; a 206 belongs here only if this session asked for it when it resumed.
    package static func validator(
        method: String, scheme: String, status: Int, responseFields: HeaderFields, received: Int64,
        requestHasRange: Bool,
        policy: DownloadResumePolicy = DownloadResumePolicy()
    ) -> DownloadValidator? {
        guard policy.methods.contains(method), scheme == "http" || scheme == "https", status == 200, !requestHasRange,
            received >= policy.minimumBytes
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
