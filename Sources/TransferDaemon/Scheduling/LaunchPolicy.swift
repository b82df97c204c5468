package import TransferProtocol

/// The pacing of launches of one client program (BKGD-33): the first launch is immediate, and the delay before each
/// further one doubles until the client was in the foreground.
package struct LaunchPacing: Hashable, Sendable {
    /// The launches since the client was last in the foreground.
    package private(set) var count: Int
    /// The instant of the last launch; nil before the first.
    package private(set) var last: TransferInstant?

    package init(count: Int = 0, last: TransferInstant? = nil) {
        self.count = count
        self.last = last
    }

    package static let firstDelay: Duration = .seconds(10)
    package static let limit: Duration = .seconds(86_400)
    /// The time after the end of a launch command in which the client that it started can connect, and the time after a
    /// connection in which the client can make its other sessions. Of the real clock, because the start of a program
    /// takes real time.
    package static let patience: Duration = .seconds(10)

    /// Returns the time until the next launch is allowed.
    package func delay(at now: TransferInstant) -> Duration {
        guard let last, count > 0 else { return .zero }
        let delay = min(LaunchPacing.limit, LaunchPacing.firstDelay * (1 << min(count - 1, 20)))
        return max(.zero, delay - now.elapsed(since: last))
    }

    package mutating func launched(at now: TransferInstant) {
        count += 1
        last = now
    }

    /// Allows an immediate launch again, when the client comes to the foreground.
    package mutating func reset() { self = LaunchPacing() }
}

/// The rules for launching clients.
package struct LaunchPolicy: Hashable, Sendable {
    /// Leave clients alone whose session sends no launch events (BKGD-32).
    package var respectsChoice = true
    /// Launch for a task that needs a decision (BKGD-22).
    package var launchesForQuestions = true
    /// Launch when the tasks of a session have ended (BKGD-23).
    package var launchesWhenFinished = true
    /// Launch for the last of them only (BKGD-23).
    package var waitsForAll = true
    /// Launch only if the client has not got every event (BKGD-23).
    package var needsEvents = true
    /// Launch less and less often (BKGD-33).
    package var isPaced = true
    /// Append the identifier of the session to the command (BKGD-24).
    package var passesIdentifier = true

    package init() {}
}

/// The facts about a session that decide when its client is launched.
package struct LaunchFacts: Hashable, Sendable {
    package var client: TransferClientState
    /// Uploads and downloads that are resumed and have not completed. Suspended tasks do not count, because they never
    /// complete without the client; nor do data tasks, which do not run without it.
    package var unfinished: Int
    /// Stored events that the client has not acknowledged.
    package var events: Int
    /// Tasks that wait for a decision of the delegate: a challenge (BKGD-22) or a delayed request (SCHD-04).
    package var questions: Int

    package init(client: TransferClientState, unfinished: Int, events: Int, questions: Int) {
        self.client = client
        self.unfinished = unfinished
        self.events = events
        self.questions = questions
    }
}

package enum LaunchReason: String, Hashable, Sendable {
    /// A delegate has to decide.
    case question
    /// All tasks have completed (BKGD-23).
    case finished
}

extension TransferSettings {
    /// Returns the reason to launch the client, if there is one and the client may be launched (BKGD-32).
    package func launchReason(_ facts: LaunchFacts, _ policy: LaunchPolicy = LaunchPolicy()) -> LaunchReason? {
        guard sendsLaunchEvents || !policy.respectsChoice, launch != nil, facts.client == .absent else { return nil }
        if facts.questions > 0, policy.launchesForQuestions { return .question }
        guard policy.launchesWhenFinished, facts.unfinished == 0 || !policy.waitsForAll else { return nil }
        return facts.events > 0 || !policy.needsEvents ? .finished : nil
    }
}
