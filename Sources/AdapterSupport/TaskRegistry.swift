import AdapterProtocol
import Dispatch
import Foundation
import Synchronization

/// The state of each task that callbacks need: its decisions, and the resume data it left.
final class TaskRegistry: Sendable {
    private struct Entry {
        var description: TaskDescription
        /// The task's position in the order of creation.
        var order: Int
        var hasEnded = false
        var challenges = 0
        var streams = 0
        var resumeData: Data?
        /// True if its completion handler ran on the delegate queue; nil before it ran.
        var handlerRanOnDelegateQueue: Bool?
    }
    private let entries = Mutex<[TaskName: Entry]>([:])
    let held: HeldDecisions
    let blockedCallbacks: BlockedCallbacks
    let progress = ProgressTracker()
    let retained = RetainedDeliveries()
    private let captured = Mutex<[TaskName: CapturedStreams]>([:])
    private let resumeDataKeys: (download: String, upload: String?)

    init(resumeDataKeys: (download: String, upload: String?)) {
        self.resumeDataKeys = resumeDataKeys
        held = HeldDecisions()
        blockedCallbacks = BlockedCallbacks(held: held)
    }

    func begin(_ description: TaskDescription) {
        blockedCallbacks.begin(description)
        entries.withLock { $0[description.task] = Entry(description: description, order: $0.count) }
    }

    func keep(_ streams: CapturedStreams, of task: TaskName) { captured.withLock { $0[task] = streams } }

    /// Returns nil if the task has not become a pair of streams.
    func streams(of task: TaskName) -> CapturedStreams? { captured.withLock { $0[task] } }

    func policies(of task: TaskName) -> TaskPolicies {
        entries.withLock { $0[task]?.description.policies ?? TaskPolicies() }
    }

    /// Returns the task of the session that a challenge of this host concerns, as far as that can be determined.
    func challenged(in session: SessionName, by host: String) -> TaskName? {
        entries.withLock { registry in
            let own = registry.values.filter {
                $0.description.session == session && !$0.description.policies.challenges.isEmpty
            }
            func rank(_ entry: Entry) -> (Int, Int, Int) {
                let isForHost = URL(string: entry.description.url)?.host == host
                return (entry.hasEnded ? 0 : 1, isForHost ? 1 : 0, entry.order)
            }
            return own.max { rank($0) < rank($1) }?.description.task
        }
    }

    func session(of task: TaskName) -> SessionName? { entries.withLock { $0[task]?.description.session } }

    func retainsDelivered(_ task: TaskName) -> Bool {
        entries.withLock { $0[task]?.description.retainsDelivered ?? false }
    }

    /// Returns the next stream that the delegate must supply; nil when none is left.
    func nextStream(of task: TaskName) -> InputStream? {
        let description: TaskDescription? = entries.withLock { registry in
            guard var note = registry[task] else { return nil }
            if let most = note.description.stream?.supplies, note.streams >= most { return nil }
            note.streams += 1
            registry[task] = note
            return note.description
        }
        return description?.bodyStream
    }

    /// Returns true if the task has a delegate of its own that implements the method.
    func hasOwnDelegate(_ task: TaskName, for callback: TaskEventName) -> Bool {
        guard let description = entries.withLock({ $0[task]?.description }),
            description.hasOwnDelegate || description.asyncMethod != nil
        else {
            return false
        }
        return switch description.ownDelegateMethods {
        case nil: true
        case .completion: callback == .didComplete
        }
    }

    /// Returns the decision about the next challenge: the last one repeats, none means default handling.
    func nextChallengeDecision(of task: TaskName) -> TaskPolicies.ChallengeDecision {
        entries.withLock { registry in
            guard var note = registry[task] else { return .performDefaultHandling }
            let decisions = note.description.policies.challenges
            guard let last = decisions.last else { return .performDefaultHandling }
            let decision = note.challenges < decisions.count ? decisions[note.challenges] : last
            note.challenges += 1
            registry[task] = note
            return decision
        }
    }

    func recordHandler(of task: TaskName, onDelegateQueue isThere: Bool) {
        entries.withLock { $0[task]?.handlerRanOnDelegateQueue = isThere }
    }

    /// Returns `delegateQueue` or `elsewhere`; nil before the handler ran.
    func handlerQueue(of task: TaskName) -> String? {
        entries.withLock { $0[task]?.handlerRanOnDelegateQueue }.map { $0 ? "delegateQueue" : "elsewhere" }
    }

    func keep(resumeData: Data?, of task: TaskName) {
        guard let resumeData else { return }
        let isStored = entries.withLock { registry in
            registry[task]?.resumeData = resumeData
            return registry[task]?.description.storesResumeData ?? false
        }
        if isStored { try? resumeData.write(to: Self.file(of: task), options: .atomic) }
    }

    /// Notes that a task has ended, keeps the resume data that its error carries, and returns the length of that.
    func end(_ task: TaskName, _ error: (any Error)?) -> Int? {
        let isUpload = entries.withLock { registry in
            registry[task]?.hasEnded = true
            return registry[task]?.description.kind == .upload
        }
        // A data task that became a download has that of a download.
        guard let key = isUpload ? resumeDataKeys.upload : resumeDataKeys.download,
            let data = (error as NSError?)?.userInfo[key] as? Data
        else { return nil }
        keep(resumeData: data, of: task)
        return data.count
    }

    /// Returns the resume data of a task, also of one that an earlier process made and whose data it stored.
    func resumeData(of task: TaskName) -> Data? {
        if let data = entries.withLock({ $0[task]?.resumeData }) { return data }
        let file = Self.file(of: task)
        defer { try? FileManager.default.removeItem(at: file) }
        return try? Data(contentsOf: file)
    }

    private static func file(of task: TaskName) -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("resume-data-of-\(task)")
    }
}

extension TaskRegistry {
    /// Reports the file's content or moves the file away, because it exists only while the callback runs. Returns its
    /// length.
    func deliver(fileAt location: URL, of task: TaskName, to output: EventOutput) -> Int64 {
        retained.recordFile(at: location, of: task)
        guard retainsDelivered(task) else { return output.emit(task, fileAt: location) }
        do {
            return try retained.moveFile(fileAt: location, of: task)
        } catch {
            output.emit(.log("\(task): cannot move the downloaded file at \(location.path): \(error)"))
            return 0
        }
    }
}

/// The callbacks that are still to be blocked: the first one of each name in a task's policies.
final class BlockedCallbacks: Sendable {
    private let due = Mutex<[TaskName: Set<TaskEventName>]>([:])
    private let held: HeldDecisions

    init(held: HeldDecisions) { self.held = held }

    func begin(_ description: TaskDescription) {
        due.withLock { $0[description.task] = description.policies.blockedCallbacks }
    }

    /// Returns nil when this callback may return. The callback is registered for `release` before its event is
    /// reported.
    func next(_ callback: TaskEventName, of task: TaskName) -> DispatchSemaphore? {
        guard due.withLock({ $0[task]?.remove(callback) }) != nil else { return nil }
        let gate = DispatchSemaphore(value: 0)
        held.store({ gate.signal() }, of: task)
        return gate
    }
}
