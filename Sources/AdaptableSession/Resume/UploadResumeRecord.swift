/// The data that a later run of the program needs to resume an upload.
package struct UploadResumeRecord: Hashable, Sendable {
    package enum Body: Hashable, Sendable {
        /// The file's path and its identity when the upload started.
        case file(String, FileIdentity)
        case bytes([UInt8])
    }

    /// The URL of the application's request.
    package var url: String
    package var method: String
    package var fields: HeaderFields
    /// The URL of the upload resource.
    package var location: String
    package var version: UploadVersion
    package var length: Int64
    /// The end of the furthest byte that was sent: the server cannot have stored more.
    package var sent: Int64
    package var body: Body

    package init(
        url: String, method: String, fields: HeaderFields = HeaderFields(), location: String, version: UploadVersion,
        length: Int64, sent: Int64,
        body: Body
    ) {
        self.url = url
        self.method = method
        self.fields = fields
        self.location = location
        self.version = version
        self.length = length
        self.sent = sent
        self.body = body
    }
}
