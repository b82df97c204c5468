extension AdaptableSession {
    /// A delegate's decision about an authentication challenge.
    public enum AuthChallengeDisposition: Int, Hashable, Sendable {
        /// Uses the credential that comes with the decision; without one, the request continues without a credential.
        case useCredential
        /// Handles the challenge as if the delegate did not implement the method.
        case performDefaultHandling
        /// Ends the task with `URLError.cancelled`.
        case cancelAuthenticationChallenge
        /// Continues with the next challenge of the same response.
        case rejectProtectionSpace
    }

    /// A delegate's decision about a task whose begin date has come.
    public enum DelayedRequestDisposition: Int, Hashable, Sendable {
        /// Sends the original request.
        case continueLoading
        /// Sends the request that comes with the decision.
        case useNewRequest
        /// Ends the task with `URLError.cancelled`, without a request.
        case cancel
    }

    /// A delegate's decision about a response.
    public enum ResponseDisposition: Int, Hashable, Sendable {
        /// Ends the task with `URLError.cancelled`.
        case cancel
        /// Delivers the body to the delegate.
        case allow
        /// Turns the data task into a download task, which writes the body to a file.
        case becomeDownload
    }
}

extension AdaptableSession {
    /// The key in an error's `userInfo` for the resume data (`Data`) of a failed download (DNLD-17).
    public static let downloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"
    /// The key in an error's `userInfo` for the resume data (`Data`) of a failed upload whose server keeps the received
    /// bytes.
    public static let uploadTaskResumeData = "NSURLSessionUploadTaskResumeData"
}
