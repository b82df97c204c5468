/// The field of a route that enables resumable uploads.
enum ResumableUploadShape {
    static let fields = [
        Field(
            "resumableUpload",
            .object([
                Field(
                    "version", .word(ResumableUploadPlan.Version.allCases.map { "\($0.rawValue)" } + ["any"]),
                    "The interop version of the draft, or `any` of these; default 8. A request of another one is an ordinary upload."
                ),
                Field("announce", .boolean, "Whether a 104 response tells the upload's own address; default true."),
                Field(
                    "progressEvery", .byteCount,
                    "A 104 response tells the offset each time so much more has come; default never."),
                Field(
                    "keepsMultiplesOf", .byteCount,
                    "After a cut only a multiple of this many bytes is kept; default 1B."),
                Field("maximumSize", .byteCount, "Longer uploads are refused with 413 and Upload-Limit."),
            ]), "Offers to resume uploads over HTTP/1.1; the route's content is the answer to a complete one.")
    ]
}
