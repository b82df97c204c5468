extension AdaptableSession {
    /// What a delegate says to a challenge.
    public enum AuthChallengeDisposition: Int, Hashable, Sendable {
        case useCredential
        /// As if the message were not implemented.
        case performDefaultHandling
        /// Ends the task with `URLError.cancelled`.
        case cancelAuthenticationChallenge
        /// Goes on to the next challenge of the same response.
        case rejectProtectionSpace
    }

    /// What a delegate says to a response head.
    public enum ResponseDisposition: Int, Hashable, Sendable {
        case cancel
        case allow
        case becomeDownload
    }
}

extension AdaptableSession {
    /// The key in an error's `userInfo` under which a failed download leaves what it can be carried on with (DNLD-17).
    public static let downloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"
    /// The same of a failed upload, whose server keeps what it got.
    public static let uploadTaskResumeData = "NSURLSessionUploadTaskResumeData"
}
