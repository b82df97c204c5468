import AdapterProtocol
import Foundation
import FoundationNetworking
import Synchronization

/// What the callbacks must know of each task: how to answer for it, and the resume data it left.
final class TaskNotes: Sendable {
    private struct Note {
        var description: TaskDescription
        var challenges = 0
        var streams = 0
        var resumeData: Data?
    }
    private let notes = Mutex<[TaskName: Note]>([:])
    let held = HeldDecisions()
    let keepsakes = Keepsakes()

    func begin(_ description: TaskDescription) {
        notes.withLock { $0[description.task] = Note(description: description) }
    }

    func policies(of task: TaskName) -> TaskPolicies {
        notes.withLock { $0[task]?.description.policies ?? TaskPolicies() }
    }

    func session(of task: TaskName) -> SessionName? { notes.withLock { $0[task]?.description.session } }

    func keepsDelivered(_ task: TaskName) -> Bool { notes.withLock { $0[task]?.description.keepsDelivered ?? false } }

    /// What the delegate supplies when it is asked for the next stream; nil when it has none (any more).
    func nextStreamBody(of task: TaskName) -> TaskDescription.Body? {
        notes.withLock { notes in
            guard var note = notes[task] else { return nil }
            if let most = note.description.stream?.supplies, note.streams >= most { return nil }
            note.streams += 1
            notes[task] = note
            return note.description.body
        }
    }

    /// The answer to the next challenge: the last one repeats, none means default handling.
    func nextChallengeAnswer(of task: TaskName) -> TaskPolicies.ChallengeAnswer {
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

    func keep(resumeData: Data?, of task: TaskName) {
        guard let resumeData else { return }
        notes.withLock { $0[task]?.resumeData = resumeData }
    }

    /// Keeps the resume data that an error carries and returns its length.
    func keepResumeData(from error: (any Error)?, of task: TaskName) -> Int? {
        guard let error, let data = (error as NSError).userInfo[URLSessionDownloadTaskResumeData] as? Data else { return nil }
        keep(resumeData: data, of: task)
        return data.count
    }

    func resumeData(of task: TaskName) -> Data? { notes.withLock { $0[task]?.resumeData } }
}

extension TaskNotes {
    /// A file is the callback's only while that runs: its content is told, or it is moved away. Returns its length.
    func deliver(fileAt location: URL, of task: TaskName, to output: EventOutput) -> Int64 {
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
