import AdapterProtocol
import Foundation
import Synchronization

/// Reads and uses the progress objects of tasks, and combines them under parents.
final class ProgressTracker: Sendable {
    private struct State {
        var parents: [String: Progress] = [:]
        var joined: [TaskName: String] = [:]
        var watched: Set<TaskName> = []
    }
    private let state = Mutex(State())

    init() {}

    func begin(_ description: TaskDescription, _ progress: Progress) {
        state.withLock { state in
            if description.watchesProgress { state.watched.insert(description.task) }
            guard let name = description.jointProgress else { return }
            let parent = state.parents[name] ?? Progress.discreteProgress(totalUnitCount: 0)
            parent.totalUnitCount += 100
            parent.addChild(progress, withPendingUnitCount: 100)
            state.parents[name] = parent
            state.joined[description.task] = name
        }
    }

    func isWatched(_ task: TaskName) -> Bool { state.withLock { $0.watched.contains(task) } }

    func act(_ action: ProgressAction, _ progress: Progress, of task: TaskName, to output: EventOutput) {
        switch action {
        case .read: break
        case .cancel: progress.cancel()
        case .pause: progress.pause()
        case .resume: progress.resume()
        }
        report(progress, of: task, to: output)
    }

    func report(_ progress: Progress, of task: TaskName, to output: EventOutput) {
        var reading = ProgressReading(
            completed: progress.completedUnitCount, total: progress.totalUnitCount, fraction: progress.fractionCompleted
        )
        reading.isCancelled = progress.isCancelled
        reading.isPaused = progress.isPaused
        reading.description = progress.localizedDescription
        reading.additionalDescription = progress.localizedAdditionalDescription
        reading.joint = state.withLock { state in state.joined[task].flatMap { state.parents[$0]?.fractionCompleted } }
        output.emit(task, .progressRead(reading))
    }
}
