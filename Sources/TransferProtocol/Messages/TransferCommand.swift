package import Foundation

/// A request of a program to the daemon. The first command of a connection is `hello` or one of the viewer's.
package enum TransferCommand: Codable, Hashable, Sendable {
    /// Connects as the owner of a background session. `version` is the protocol's.
    case hello(version: Int, settings: TransferSettings, state: TransferClientState)
    /// Stores a task. The reply confirms that it survives crashes. Sending the same task again changes nothing.
    case create(task: TransferTask)
    /// Stores a download that continues from resume data; otherwise like `create`.
    case createResumed(task: TransferTask, resumeData: Data)
    case resume(task: Int)
    case suspend(task: Int)
    /// Cancels a task. `keepsPart`: the reply carries resume data, if the download can be continued.
    case cancel(task: Int, keepsPart: Bool)
    case change(task: Int, change: TransferChange)
    case clientState(state: TransferClientState)
    /// Decides about `TransferEvent.Content.response` of a data task.
    case decideResponse(task: Int, disposition: TransferDisposition)
    case decideChallenge(task: Int, decision: TransferChallengeDecision)
    case decideDelayedRequest(task: Int, decision: TransferDelayedDecision)
    /// The delegate has dealt with this durable event and all before it.
    case acknowledge(event: Int64)
    /// The session is invalidated: its tasks are cancelled first, or they finish.
    case invalidate(cancelsTasks: Bool)

    /// For display: the sessions and tasks of the daemon.
    case list(version: Int)
    /// For a person at a terminal: cancels a task of any session.
    case cancelOf(version: Int, identifier: String, task: Int)
    /// For display: the log from now on.
    case watch(version: Int)
}

/// The properties of a task that a program can change after its creation.
package struct TransferChange: Codable, Hashable, Sendable {
    package var priority: Double
    package var label: String?
    package var earliestBeginDate: Date?
    package var clientExpectsToSend: Int64
    package var clientExpectsToReceive: Int64

    package init(
        priority: Double, label: String?, earliestBeginDate: Date?, clientExpectsToSend: Int64,
        clientExpectsToReceive: Int64
    ) {
        self.priority = priority
        self.label = label
        self.earliestBeginDate = earliestBeginDate
        self.clientExpectsToSend = clientExpectsToSend
        self.clientExpectsToReceive = clientExpectsToReceive
    }
}

/// The client's decision about the response of a data task.
package enum TransferDisposition: Codable, Hashable, Sendable {
    case cancel
    case allow
    /// The task becomes a download with this number (BKGD-13).
    case becomeDownload(number: Int)
}

/// The client's decision about a challenge.
package enum TransferChallengeDecision: Codable, Hashable, Sendable {
    case useCredential(user: String, password: String)
    case trustServer
    case continueWithoutCredential
    case performDefaultHandling
    /// The client does not implement a method for challenges; it need not be asked or launched for the trust of servers.
    case notImplemented
    case cancel
    case rejectProtectionSpace
}

/// The client's decision about a task whose begin date has come (SCHD-08 to SCHD-10).
package enum TransferDelayedDecision: Codable, Hashable, Sendable {
    case continueLoading
    case useNewRequest(request: TransferRequest)
    case cancel
}
