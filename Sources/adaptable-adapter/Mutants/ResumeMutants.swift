@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in the request that resumes a download, and in the validation of its response.
    static let resuming = [
        SessionMutant("forgets-if-range", breaks: ["DNLD-16"], "asks for the rest without saying of which version") {
            $0.downloadResume.sendsIfRange = false
        },
        SessionMutant("offset-plus-one", breaks: ["DNLD-10", "DNLD-12"], "asks for the rest from one byte too far on") {
            $0.downloadResume.offsetShift = 1
        },
        SessionMutant(
            "resumes-by-a-weak-tag", breaks: ["DNLD-08"], "takes a weak entity tag for a proof of the same bytes"
        ) {
            $0.downloadResume.needsStrongValidator = false
        },
        SessionMutant("appends-a-whole-answer", breaks: ["DNLD-15", "DNLD-16"], "appends a 200 to what it has") {
            $0.downloadResume.restartsOnWholeResponse = false
        },
        SessionMutant(
            "believes-an-unplaced-part", breaks: ["DNLD-10"], "takes a 206 without Content-Range for what it asked for"
        ) {
            $0.downloadResume.needsContentRange = false
        },
        SessionMutant("leaves-a-hole", breaks: ["DNLD-10"], "takes a part that begins later than asked") {
            $0.downloadResume.refusesLaterStart = false
        },
        SessionMutant("splices-versions", breaks: ["DNLD-16"], "takes a part of another version for the rest") {
            $0.downloadResume.comparesValidator = false
        },
        SessionMutant(
            "resumes-where-ranges-are-refused", breaks: ["DNLD-08"], "offers to resume though the server has no ranges"
        ) {
            $0.downloadResume.honoursRefusedRanges = false
        },
        SessionMutant(
            "takes-a-part-for-the-whole", breaks: ["DNLD-10"], "ends with the file when a part of the rest has come"
        ) {
            $0.downloadResume.checksWholeLength = false
            $0.downloadResume.requestsRemainder = false
        },
        SessionMutant("upload-offset-plus-one", breaks: ["UPLD-02"], "goes on with an upload one byte too far on") {
            $0.uploadResume.offsetShift = 1
        },
        SessionMutant(
            "cuts-at-the-coded-length", breaks: ["DNLD-15"], "takes no more of a coded body than its coded length"
        ) {
            $0.downloadResume.knowsCodedLengths = false
        },
        SessionMutant("two-share-a-part", breaks: ["DNLD-10"], "writes to a part that another download writes to") {
            $0.downloadResume.holdsPart = false
        },
        SessionMutant(
            "resumes-what-was-posted", breaks: ["DNLD-08"], "leaves resume data of what was asked for with POST"
        ) {
            $0.downloadResume.needsPlainRequest = false
        },
        SessionMutant(
            "loses-what-it-was-made-with", breaks: ["DNLD-07", "DNLD-17"],
            "has no resume data before the answer has come"
        ) {
            $0.downloadResume.returnsUnusedData = false
        },
        SessionMutant(
            "upload-goes-on-unnamed", breaks: ["UPLD-02"], "leaves the credentials out where an upload goes on"
        ) {
            $0.uploadResume.sendsCredentials = false
        },
        SessionMutant("upload-starts-over", breaks: ["UPLD-02"], "does not offer to resume an upload") {
            $0.uploadResume.offers = false
        },
        SessionMutant(
            "resumes-across-origins", breaks: ["DNLD-16"], "appends what a redirect to another origin brought"
        ) {
            $0.downloadResume.staysWithResource = false
        },
        SessionMutant(
            "ignores-another-length", breaks: ["DNLD-16"], "takes a part of a file of another length for the rest"
        ) {
            $0.downloadResume.comparesLength = false
        },
        SessionMutant("refused-range-is-final", breaks: ["DNLD-15"], "fails where it should ask for the whole") {
            $0.downloadResume.restartsWhenRefused = false
        },
        SessionMutant(
            "resumes-what-was-encoded", breaks: ["DNLD-10"], "counts decoded bytes where ranges count encoded ones"
        ) {
            $0.downloadResume.resumesEncodedContent = true
        },
        SessionMutant("believes-an-altered-file", breaks: ["DNLD-10"], "appends to a file that was altered meanwhile") {
            $0.downloadResume.checksPartialFile = false
        },
        SessionMutant("whole-file-starts-over", breaks: ["DNLD-09"], "fetches a file again that it has whole") {
            $0.downloadResume.acceptsCompleteFile = false
        },
        SessionMutant("date-is-no-validator", breaks: ["DNLD-07", "DNLD-09"], "does not resume by Last-Modified") {
            $0.downloadResume.acceptsDates = false
        },
        SessionMutant("resumes-by-a-fresh-date", breaks: ["DNLD-16"], "takes a date of this second for a validator") {
            $0.downloadResume.dateMargin = 0
        },
        SessionMutant(
            "plain-cancel-leaves-resume-data", breaks: ["DNLD-07", "DNLD-23"],
            "leaves resume data in the error of a plain cancel"
        ) {
            $0.delivery.plainCancelLeavesResumeData = true
        },
        SessionMutant(
            "upload-without-asking", breaks: ["UPLD-02"],
            "goes on with an upload from what it sent, not from what has arrived"
        ) {
            $0.uploadResume.requestsOffset = false
        },
        SessionMutant("upload-ignores-the-limit", breaks: ["UPLD-02"], "appends more at once than the server takes") {
            $0.uploadResume.keepsAppendLimit = false
        },
        SessionMutant(
            "upload-of-any-version", breaks: ["UPLD-02"], "believes a 104 of a version that it does not speak"
        ) {
            $0.uploadResume.honoursInteropVersion = false
        },
        SessionMutant(
            "upload-believes-any-offset", breaks: ["UPLD-02"], "believes an offset below one that was told before"
        ) {
            $0.uploadResume.refusesImpossibleOffset = false
        },
        SessionMutant(
            "upload-survives-4xx", breaks: ["UPLD-02"], "goes on after the server said that the upload is over"
        ) {
            $0.uploadResume.endsOnClientError = false
        },
    ]
}
