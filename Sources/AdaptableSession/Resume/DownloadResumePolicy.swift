/// The rules for resuming downloads: when it is possible, the request for the rest, and the checks on its response.
package struct DownloadResumePolicy: Sendable, Equatable {
    /// Call the delegate with the offset before the progress of a resumed download (DNLD-11).
    package var announcesOffset = true
    /// Do not resume with a weak entity tag: it never matches in If-Range (RFC 9110 §13.1.5).
    package var needsStrongValidator = true
    /// Without an entity tag, use the Last-Modified date if the response's Date is later by at least `dateMargin`
    /// seconds (RFC 9110 §8.8.2.2).
    package var acceptsDates = true
    package var dateMargin: Double = 1
    /// Do not resume after `Accept-Ranges: none`: the server does not support ranges.
    package var honoursRefusedRanges = true
    /// Resume responses with a content encoding. Off: ranges count encoded bytes, and the file holds decoded ones.
    package var resumesEncodedContent = false

    /// Send If-Range, so that the rest is sent only if the resource is unchanged (DNLD-16).
    package var sendsIfRange = true
    /// An offset added to the first requested byte: any value but 0 leaves a gap or repeats bytes.
    package var offsetShift: Int64 = 0
    /// Use the partial file only if its last bytes are the same as when the resume data was created.
    package var checksPartialFile = true

    /// Replace the partial file by the body of a whole response (200) instead of appending to it (DNLD-15).
    package var restartsOnWholeResponse = true
    /// Reject a 206 without a usable Content-Range: its position is unknown (RFC 9110 §14.4).
    package var needsContentRange = true
    /// Reject a 206 that starts after the end of the partial file: it would leave a gap.
    package var refusesLaterStart = true
    /// Reject a 206 with another or a weakened validator: it belongs to another version (RFC 9110 §15.3.7.3).
    package var comparesValidator = true
    /// Reject a 206 with another complete length: it belongs to another version.
    package var comparesLength = true
    /// Reject a 206 that a redirect fetched from another resource: an entity tag identifies versions of one resource
    /// only (RFC 9110 §8.8.3).
    package var staysWithResource = true
    /// Treat a 416 whose complete length equals the partial file's as success: the file is complete.
    package var acceptsCompleteFile = true
    /// Request the whole resource once after an unusable response; false: fail instead.
    package var restartsWhenRefused = true
    /// Request the remaining bytes after a 206 that covers only a part of the rest.
    package var requestsRemainder = true
    /// Require the length that the server announced for a complete file; the end of a response is not enough (DNLD-10).
    package var checksWholeLength = true

    /// Ignore the Content-Length of an encoded body: the file holds decoded bytes.
    package var knowsCodedLengths = true
    /// Let only one of two downloads with the same resume data continue the partial file; the other one uses a separate
    /// file.
    package var holdsPart = true
    /// Create resume data only for a plain GET of a URL: only such a request can be repeated from resume data.
    package var needsPlainRequest = true
    /// Keep the key of resume data for later processes of the user (DNLD-18).
    package var keepsKey = true
    /// Return the original resume data when a resumed download ends before any byte was written.
    package var returnsUnusedData = true
}
