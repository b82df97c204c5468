/// Everything that a later run of the program needs to take an upload up again.
package struct UploadResumeRecord: Hashable, Sendable {
    package enum Body: Hashable, Sendable {
        /// Its path, and what it was like when the upload began.
        case file(String, FileIdentity)
        case bytes([UInt8])
    }

    /// Of the request that the application made.
    package var url: String
    package var method: String
    package var fields: HeaderFields
    /// The upload resource.
    package var location: String
    package var version: UploadVersion
    package var length: Int64
    package var body: Body

    package init(
        url: String, method: String, fields: HeaderFields = HeaderFields(), location: String, version: UploadVersion,
        length: Int64,
        body: Body
    ) {
        self.url = url
        self.method = method
        self.fields = fields
        self.location = location
        self.version = version
        self.length = length
        self.body = body
    }
}
