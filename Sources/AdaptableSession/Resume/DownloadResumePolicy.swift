/// When a download can be continued, how it asks for the rest, and what it believes of the answer.
package struct DownloadResumePolicy: Sendable, Equatable {
    /// Only these answers are worth keeping for later; the methods are what a repetition may use.
    package var methods: Set<String> = ["GET"]
    /// Nothing is gained by continuing before this many bytes.
    package var minimumBytes: Int64 = 1
    /// A weak entity tag never matches in If-Range (RFC 9110 §13.1.5), so there is nothing to resume with.
    package var needsStrongValidator = true
    /// Without an entity tag a Last-Modified date serves, if the answer's Date is later by at least this many seconds (RFC 9110 §8.8.2.2).
    package var acceptsDates = true
    package var dateMargin: Double = 1
    /// `Accept-Ranges: none` says that it would be in vain.
    package var honoursRefusedRanges = true
    /// Ranges count encoded bytes; what is on the disk is decoded.
    package var resumesEncodedContent = false

    /// The rest is asked for only if the resource is still the same (DNLD-16).
    package var sendsIfRange = true
    /// Added to the first byte that is asked for: anything but 0 leaves a hole or repeats.
    package var offsetShift: Int64 = 0
    /// The request for the rest names no encoding, so that its bytes are counted as those on the disk.
    package var requestsIdentityEncoding = true
    /// What is on the disk is believed only if it ends as it did when the resume data was made.
    package var checksPartialFile = true

    /// A whole answer (200) replaces what is on the disk instead of following it (DNLD-15).
    package var restartsOnWholeResponse = true
    /// A 206 without a usable Content-Range says nothing about what it is (RFC 9110 §14.4).
    package var needsContentRange = true
    /// A 206 that begins before the end of what is on the disk is taken from its beginning on (DNLD-13).
    package var acceptsEarlierStart = true
    /// A 206 that begins after it would leave a hole.
    package var refusesLaterStart = true
    /// A 206 with another validator, or with a weakened one, is of another version (RFC 9110 §15.3.7.3).
    package var comparesValidator = true
    /// A 206 with another complete length is of another version.
    package var comparesLength = true
    /// A tag tells apart the versions of one resource (RFC 9110 §8.8.3): a 206 that a redirect to another brought is not combined.
    package var staysWithResource = true
    /// 416 whose complete length is what is on the disk: the file is whole.
    package var acceptsCompleteFile = true
    /// An answer that cannot be used leads to one more request, for the whole; false fails instead.
    package var restartsWhenRefused = true
    /// A 206 that covers less than the rest is followed by a request for what is missing.
    package var requestsRemainder = true
    /// The file is whole when it has the length that the server told, not when an answer ends (DNLD-10).
    package var checksWholeLength = true

    /// The length of a coded body is not that of what it stands for, which is what is counted.
    package var knowsCodedLengths = true
    /// Of two downloads with the same resume data one goes on with the part, and the other has a file of its own.
    package var holdsPart = true
    /// Only what is a GET of its URL and nothing more can be asked for again by what goes on.
    package var needsPlainRequest = true
    /// What ends before anything was written leaves the resume data that it was made with.
    package var returnsUnusedData = true

    package init() {}
}
