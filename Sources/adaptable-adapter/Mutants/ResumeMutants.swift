import AdaptableSession

extension SessionMutant {
    /// What is asked when a download goes on, and what is believed of the answer.
    static let resuming = [
        SessionMutant("forgets-if-range", breaks: ["DNLD-16"], "asks for the rest without saying of which version") {
            $0.downloadResume.sendsIfRange = false
        },
        SessionMutant("offset-plus-one", breaks: ["DNLD-10", "DNLD-12"], "asks for the rest from one byte too far on") {
            $0.downloadResume.offsetShift = 1
        },
        SessionMutant("resumes-by-a-weak-tag", breaks: ["DNLD-08"], "takes a weak entity tag for a proof of the same bytes") {
            $0.downloadResume.needsStrongValidator = false
        },
        SessionMutant("appends-a-whole-answer", breaks: ["DNLD-15", "DNLD-16"], "appends a 200 to what it has") {
            $0.downloadResume.restartsOnWholeAnswer = false
        },
        SessionMutant("believes-an-unplaced-part", breaks: ["DNLD-10"], "takes a 206 without Content-Range for what it asked for") {
            $0.downloadResume.needsContentRange = false
        },
        SessionMutant("leaves-a-hole", breaks: ["DNLD-10"], "takes a part that begins later than asked") {
            $0.downloadResume.refusesLaterStart = false
        },
        SessionMutant("splices-versions", breaks: ["DNLD-16"], "takes a part of another version for the rest") {
            $0.downloadResume.comparesValidator = false
        },
        SessionMutant("resumes-where-ranges-are-refused", breaks: ["DNLD-08"], "offers to resume though the server has no ranges") {
            $0.downloadResume.heedsRefusedRanges = false
        },
        SessionMutant("takes-a-part-for-the-whole", breaks: ["DNLD-10"], "ends with the file when a part of the rest has come") {
            $0.downloadResume.checksWholeLength = false
            $0.downloadResume.asksForTheRest = false
        },
        SessionMutant("upload-offset-plus-one", breaks: ["UPLD-02"], "goes on with an upload one byte too far on") {
            $0.uploadResume.offsetShift = 1
        },
        SessionMutant("upload-starts-over", breaks: ["UPLD-02"], "does not offer to resume an upload") { $0.uploadResume.offers = false },
    ]
}
