/// The rules for resumable uploads (draft-ietf-httpbis-resumable-upload).
package struct UploadResumePolicy: Sendable, Equatable {
    /// The interop version to use.
    package var version = UploadVersion.version8
    /// Offer to make every upload resumable whose body can be read again; a server without support ignores the fields.
    package var offers = true
    /// Ignore a 104 with another interop version or none.
    package var honoursInteropVersion = true
    /// Request the offset from the server; false: continue from the bytes that were sent.
    package var requestsOffset = true
    /// A number added to the server's offset: any value but 0 leaves a gap or repeats bytes.
    package var offsetShift: Int64 = 0
    /// Reject an offset below an earlier one or beyond the bytes that were sent: both violate the protocol.
    package var refusesImpossibleOffset = true
    /// End the upload after a 4xx response ("the client MUST NOT resume").
    package var endsOnClientError = true
    /// Respect `Upload-Limit: max-append-size`.
    package var keepsAppendLimit = true

    /// Send the application's credentials with the requests that resume.
    package var sendsCredentials = true
}

/// The published versions that differ on the wire.
package enum UploadVersion: Int, Hashable, Sendable, CaseIterable {
    /// `Upload-Incomplete`, the opposite of the later `Upload-Complete`.
    case version3 = 3
    case version5 = 5
    /// From this version on, appends have the type `application/partial-upload`.
    case version6 = 6
    case version8 = 8
}
