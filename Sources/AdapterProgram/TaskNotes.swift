package import AdapterProtocol
package import Foundation
import Synchronization

/// What the callbacks must know of each task: how to answer for it, and the resume data it left.
package final class TaskNotes: Sendable {
    private struct Note {
        var description: TaskDescription
        /// Counts the tasks as they were made.
        var order: Int
        var challenges = 0
        var streams = 0
        var resumeData: Data?
        /// Where its completion handler ran.
        var handlerRanOnDelegateQueue: Bool?
    }
    private let notes = Mutex<[TaskName: Note]>([:])
    package let held: HeldDecisions
    package let stalls: StalledCallbacks
    package let progress = ProgressDesk()
    package let keepsakes = Keepsakes()
    private let captured = Mutex<[TaskName: CapturedStreams]>([:])
    private let resumeDataKeys: [String]

    /// - Parameter resumeDataKeys: under which errors carry resume data in their user info.
    package init(resumeDataKeys: [String]) {
        self.resumeDataKeys = resumeDataKeys
        held = HeldDecisions()
        stalls = StalledCallbacks(held: held)
    }

    package func begin(_ description: TaskDescription) {
        stalls.begin(description)
        notes.withLock { $0[description.task] = Note(description: description, order: $0.count) }
    }

    package func keep(_ streams: CapturedStreams, of task: TaskName) { captured.withLock { $0[task] = streams } }

    /// nil: the task has become none.
    package func streams(of task: TaskName) -> CapturedStreams? { captured.withLock { $0[task] } }

    package func policies(of task: TaskName) -> TaskPolicies {
        notes.withLock { $0[task]?.description.policies ?? TaskPolicies() }
    }

    /// The task of the session that a challenge of this host concerns, as far as that can be said.
    package func challenged(in session: SessionName, by host: String) -> TaskName? {
        notes.withLock { notes in
            let own = notes.values.filter { $0.description.session == session && !$0.description.policies.challenges.isEmpty }
            let meant = own.filter { URL(string: $0.description.url)?.host == host }
            return (meant.isEmpty ? own : meant).max { $0.order < $1.order }?.description.task
        }
    }

    package func session(of task: TaskName) -> SessionName? { notes.withLock { $0[task]?.description.session } }

    package func keepsDelivered(_ task: TaskName) -> Bool { notes.withLock { $0[task]?.description.keepsDelivered ?? false } }

    /// What the delegate supplies when it is asked for the next stream; nil when it has none (any more).
    package func nextStreamBody(of task: TaskName) -> TaskDescription.Body? {
        notes.withLock { notes in
            guard var note = notes[task] else { return nil }
            if let most = note.description.stream?.supplies, note.streams >= most { return nil }
            note.streams += 1
            notes[task] = note
            return note.description.body
        }
    }

    /// The answer to the next challenge: the last one repeats, none means default handling.
    package func nextChallengeAnswer(of task: TaskName) -> TaskPolicies.ChallengeAnswer {
        notes.withLock { notes in
            guard var note = notes[task] else { return .performDefaultHandling }
            let answers = note.description.policies.challenges
            guard let last = answers.last else { return .performDefaultHandling }
            let answer = note.challenges < answers.count ? answers[note.challenges] : last
            note.challenges += 1
            notes[task] = note
            return answer
        }
    }

    package func noteHandler(of task: TaskName, onDelegateQueue isThere: Bool) {
        notes.withLock { $0[task]?.handlerRanOnDelegateQueue = isThere }
    }

    /// `delegateQueue` or `elsewhere`; nil before the handler ran.
    package func handlerQueue(of task: TaskName) -> String? {
        notes.withLock { $0[task]?.handlerRanOnDelegateQueue }.map { $0 ? "delegateQueue" : "elsewhere" }
    }

    package func keep(resumeData: Data?, of task: TaskName) {
        guard let resumeData else { return }
        notes.withLock { $0[task]?.resumeData = resumeData }
    }

    /// Keeps the resume data that an error carries and returns its length.
    package func keepResumeData(from error: (any Error)?, of task: TaskName) -> Int? {
        guard let information = (error as NSError?)?.userInfo, let data = resumeDataKeys.lazy.compactMap({ information[$0] as? Data }).first
        else { return nil }
        keep(resumeData: data, of: task)
        return data.count
    }

    package func resumeData(of task: TaskName) -> Data? { notes.withLock { $0[task]?.resumeData } }
}

extension TaskNotes {
    /// A file is the callback's only while that runs: its content is told, or it is moved away. Returns its length.
    package func deliver(fileAt location: URL, of task: TaskName, to output: EventOutput) -> Int64 {
        keepsakes.noteFile(at: location, of: task)
        guard keepsDelivered(task) else { return output.emit(task, fileAt: location) }
        do {
            return try keepsakes.take(fileAt: location, of: task)
        } catch {
            output.emit(.log("\(task): cannot move the downloaded file at \(location.path): \(error)"))
            return 0
        }
    }
}
