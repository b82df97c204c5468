@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in the request that resumes a download, and in the validation of its response.
    static let resuming = [
        SessionMutant("resumes-in-silence", breaks: ["DNLD-11"], "does not report the offset of a resumed download") {
            $0.downloadResume.announcesOffset = false
        },
        SessionMutant(
            "resumes-in-its-process-only", breaks: ["DNLD-18"], "does not accept the resume data of an earlier process"
        ) {
            $0.downloadResume.keepsKey = false
        },
        SessionMutant("forgets-if-range", breaks: ["DNLD-16"], "requests the rest without If-Range") {
            $0.downloadResume.sendsIfRange = false
        },
        SessionMutant("offset-plus-one", breaks: ["DNLD-10", "DNLD-12"], "requests the rest one byte too late") {
            $0.downloadResume.offsetShift = 1
        },
        SessionMutant(
            "resumes-by-a-weak-tag", breaks: ["DNLD-08"], "accepts a weak entity tag as a validator"
        ) {
            $0.downloadResume.needsStrongValidator = false
        },
        SessionMutant("appends-a-whole-answer", breaks: ["DNLD-15", "DNLD-16"], "appends a 200 to the held part") {
            $0.downloadResume.restartsOnWholeResponse = false
        },
        SessionMutant(
            "believes-an-unplaced-part", breaks: ["DNLD-10"], "accepts a 206 without Content-Range"
        ) {
            $0.downloadResume.needsContentRange = false
        },
        SessionMutant("leaves-a-hole", breaks: ["DNLD-10"], "accepts a part that begins later than requested") {
            $0.downloadResume.refusesLaterStart = false
        },
        SessionMutant("splices-versions", breaks: ["DNLD-16"], "accepts a part of another version") {
            $0.downloadResume.comparesValidator = false
        },
        SessionMutant(
            "resumes-where-ranges-are-refused", breaks: ["DNLD-08"],
            "creates resume data although the server does not serve ranges"
        ) {
            $0.downloadResume.honoursRefusedRanges = false
        },
        SessionMutant(
            "takes-a-part-for-the-whole", breaks: ["DNLD-10"],
            "completes the file when only part of the rest has arrived"
        ) {
            $0.downloadResume.checksWholeLength = false
            $0.downloadResume.requestsRemainder = false
        },
        SessionMutant("upload-offset-plus-one", breaks: ["RFC-UPLOAD-01"], "continues an upload one byte too late") {
            $0.uploadResume.offsetShift = 1
        },
        SessionMutant(
            "cuts-at-the-coded-length", breaks: ["DNLD-15"], "truncates a decoded body to its coded length"
        ) {
            $0.downloadResume.knowsCodedLengths = false
        },
        SessionMutant(
            "two-share-a-part", breaks: ["DNLD-10"], "writes to a partial file that another download is writing"
        ) {
            $0.downloadResume.holdsPart = false
        },
        SessionMutant(
            "resumes-what-was-posted", breaks: ["DNLD-08"], "creates resume data for a POST"
        ) {
            $0.downloadResume.needsPlainRequest = false
        },
        SessionMutant(
            "loses-what-it-was-made-with", breaks: ["DNLD-07", "DNLD-17"],
            "loses its resume data when it ends before the response"
        ) {
            $0.downloadResume.returnsUnusedData = false
        },
        SessionMutant(
            "upload-goes-on-unnamed", breaks: ["RFC-UPLOAD-01"],
            "omits the Authorization field when an upload continues"
        ) {
            $0.uploadResume.sendsCredentials = false
        },
        SessionMutant("upload-starts-over", breaks: ["RFC-UPLOAD-01"], "never creates resume data for uploads") {
            $0.uploadResume.offers = false
        },
        SessionMutant(
            "resumes-across-origins", breaks: ["DNLD-16"], "appends a part from another origin after a redirect"
        ) {
            $0.downloadResume.staysWithResource = false
        },
        SessionMutant(
            "ignores-another-length", breaks: ["DNLD-16"], "accepts a part of a file of another length"
        ) {
            $0.downloadResume.comparesLength = false
        },
        SessionMutant("refused-range-is-final", breaks: ["DNLD-15"], "fails instead of requesting the whole file") {
            $0.downloadResume.restartsWhenRefused = false
        },
        SessionMutant(
            "resumes-what-was-encoded", breaks: ["DNLD-10"], "resumes encoded content at an offset in decoded bytes"
        ) {
            $0.downloadResume.resumesEncodedContent = true
        },
        SessionMutant("believes-an-altered-file", breaks: ["DNLD-10"], "appends to a partial file that has changed") {
            $0.downloadResume.checksPartialFile = false
        },
        SessionMutant("whole-file-starts-over", breaks: ["DNLD-09"], "downloads a complete file again") {
            $0.downloadResume.acceptsCompleteFile = false
        },
        SessionMutant("date-is-no-validator", breaks: ["DNLD-07", "DNLD-09"], "does not resume by Last-Modified") {
            $0.downloadResume.acceptsDates = false
        },
        SessionMutant(
            "resumes-by-a-fresh-date", breaks: ["DNLD-16"],
            "accepts a Last-Modified within the same second as a validator"
        ) {
            $0.downloadResume.dateMargin = 0
        },
        SessionMutant(
            "plain-cancel-leaves-resume-data", breaks: ["DNLD-07", "DNLD-23"],
            "leaves resume data in the error of a plain cancel"
        ) {
            $0.delivery.plainCancelLeavesResumeData = true
        },
        SessionMutant(
            "upload-without-asking", breaks: ["RFC-UPLOAD-01"],
            "continues an upload at the number of sent bytes, not at the server's offset"
        ) {
            $0.uploadResume.requestsOffset = false
        },
        SessionMutant(
            "upload-ignores-the-limit", breaks: ["RFC-UPLOAD-01"], "appends more at once than the server's limit"
        ) {
            $0.uploadResume.keepsAppendLimit = false
        },
        SessionMutant(
            "upload-of-any-version", breaks: ["RFC-UPLOAD-02"], "accepts a 104 of an unsupported interop version"
        ) {
            $0.uploadResume.honoursInteropVersion = false
        },
        SessionMutant(
            "upload-believes-any-offset", breaks: ["RFC-UPLOAD-01", "RFC-UPLOAD-02"],
            "accepts an upload offset below an earlier one"
        ) {
            $0.uploadResume.refusesImpossibleOffset = false
        },
        SessionMutant(
            "upload-survives-4xx", breaks: ["RFC-UPLOAD-02"], "continues an upload after a 4xx response"
        ) {
            $0.uploadResume.endsOnClientError = false
        },
    ]
}
