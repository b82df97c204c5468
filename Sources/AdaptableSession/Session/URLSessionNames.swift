import Foundation

// Members of URLSession's classes that AdaptableSession expresses differently, under URLSession's names: programs that
// use them compile unchanged.

extension AdaptableSessionTask {
    /// The default priority of a task: 0.5.
    public static let defaultPriority: Float = 0.5
    /// A priority below the default: 0.25.
    public static let lowPriority: Float = 0.25
    /// A priority above the default: 0.75.
    public static let highPriority: Float = 0.75
}

extension AdaptableSession {
    /// The data, upload and download tasks that have not completed, each in order of creation.
    public var tasks: ([AdaptableSessionDataTask], [AdaptableSessionUploadTask], [AdaptableSessionDownloadTask]) {
        get async { sorted(await allTasks) }
    }

    /// Calls the handler on the delegate queue with the data, upload and download tasks that have not completed, each in
    /// order of creation.
    public func getTasksWithCompletionHandler(
        _ completionHandler:
            @escaping @Sendable (
                [AdaptableSessionDataTask], [AdaptableSessionUploadTask], [AdaptableSessionDownloadTask]
            ) -> Void
    ) {
        getAllTasks { [self] tasks in
            let (data, uploads, downloads) = sorted(tasks)
            completionHandler(data, uploads, downloads)
        }
    }

    /// An upload task is a data task too, and is listed as an upload only.
    private func sorted(
        _ tasks: [AdaptableSessionTask]
    ) -> ([AdaptableSessionDataTask], [AdaptableSessionUploadTask], [AdaptableSessionDownloadTask]) {
        let isUploadOnly = settings.policies.tasks.listsByKind
        return (
            tasks.filter { !isUploadOnly || !($0 is AdaptableSessionUploadTask) }
                .compactMap { $0 as? AdaptableSessionDataTask },
            tasks.compactMap { $0 as? AdaptableSessionUploadTask },
            tasks.compactMap { $0 as? AdaptableSessionDownloadTask }
        )
    }
}

extension AdaptableSessionAuthenticationChallenge {
    /// Creates a copy of a challenge whose decision is sent to another object.
    public init(
        authenticationChallenge challenge: AdaptableSessionAuthenticationChallenge,
        sender: any AdaptableSessionAuthenticationChallengeSender
    ) {
        self.init(
            protectionSpace: challenge.protectionSpace, proposedCredential: challenge.proposedCredential,
            previousFailureCount: challenge.previousFailureCount, failureResponse: challenge.failureResponse,
            error: challenge.error, sender: sender)
        serverTrust = challenge.serverTrust
    }
}
