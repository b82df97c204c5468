/// How uploads are made resumable (draft-ietf-httpbis-resumable-upload) and taken up again.
package struct UploadResumePolicy: Sendable, Equatable {
    /// The interop version that is spoken.
    package var version = UploadVersion.version8
    /// Every upload whose body can be read again offers to be resumable; a server that knows nothing of it ignores the fields.
    package var offers = true
    /// A 104 of another version, or of none, is not meant for us.
    package var honoursInteropVersion = true
    /// An upload resource at another origin is not used: it would be given what was meant for this one.
    package var locationStaysWithOrigin = true
    /// How often an interrupted upload is taken up again without progress in between; 0 leaves it to the application.
    package var attemptsWithoutProgress = 3
    /// Before the second attempt and those after it, nanoseconds.
    package var pause: Int64 = 1_000_000_000
    /// The server is asked how far it has got; false goes on from what was sent.
    package var requestsOffset = true
    /// Added to the offset that the server tells: anything but 0 leaves a hole or repeats.
    package var offsetShift: Int64 = 0
    /// An offset below one that was told before, or beyond what was sent, is a broken promise.
    package var refusesImpossibleOffset = true
    /// 409 with an offset is believed instead of given up.
    package var followsConflict = true
    /// After a 4xx answer the upload is over ("the client MUST NOT resume").
    package var endsOnClientError = true
    /// After a 5xx answer to a request about the upload the offset is asked for again.
    package var resumesAfterServerError = true
    /// `Upload-Limit: max-append-size` is kept to.
    package var keepsAppendLimit = true

    /// The application's credentials go along with the requests that go on.
    package var sendsCredentials = true

    package init() {}
}

/// The published versions that differ on the wire.
package enum UploadVersion: Int, Hashable, Sendable, CaseIterable {
    /// `Upload-Incomplete`, with the opposite sense of later versions.
    case version3 = 3
    case version5 = 5
    /// From here on an append is `application/partial-upload`.
    case version6 = 6
    case version8 = 8
}
