import AdapterProtocol
import Foundation
import FoundationNetworking

/// Carries out the harness's commands on URLSession; lives on the main thread.
struct CommandPlayer {
    private struct OpenSession {
        var session: URLSession
        var delegate: SessionDelegate
    }

    private let output: EventOutput
    private let notes = TaskNotes()
    private var sessions: [SessionName: OpenSession] = [:]
    private var tasks: [TaskName: URLSessionTask] = [:]
    /// Declined as unsupported: what is asked of them further needs no second answer.
    private var refusedSessions: Set<SessionName> = []
    private var refusedTasks: Set<TaskName> = []

    init(output: EventOutput) { self.output = output }

    mutating func play(_ command: AdapterCommand) {
        switch command {
        case .hello(let capabilities):
            output.emit(.hello(.foundation, capabilities: Capability.answers(to: capabilities)))
        case .makeSession(let name, let configuration): make(name, configuration)
        case .makeTask(let task): make(task)
        case .resume(let name): with(name) { $0.resume() }
        case .suspend(let name): with(name) { $0.suspend() }
        case .cancel(let name): with(name) { $0.cancel() }
        case .cancelProducingResumeData(let name): with(name) { cancelProducingResumeData($0, name) }
        case .inspect(let name): with(name) { output.emit(name, .inspected($0)) }
        case .invalidate(let name, let cancelling):
            guard !refusedSessions.contains(name) else { return }
            guard let session = sessions[name]?.session else { return fail("no session \(name)") }
            if cancelling { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
        case .end: FoundationAdapter.leave(0)
        }
    }

    private func fail(_ message: String) { output.emit(.adapterFailed(message: message)) }

    private func with(_ name: TaskName, _ act: (URLSessionTask) -> Void) {
        guard !refusedTasks.contains(name) else { return }
        guard let task = tasks[name] else { return fail("no task \(name)") }
        act(task)
    }

    private mutating func make(_ name: SessionName, _ configuration: SessionConfiguration) {
        if let feature = configuration.missingInFoundation {
            refusedSessions.insert(name)
            return output.emit(.unsupported(feature: feature.rawValue))
        }
        let delegate = SessionDelegate(session: name, notes: notes, output: output)
        // No queue given: the session makes a serial one.
        let session = URLSession(configuration: configuration.foundation, delegate: delegate, delegateQueue: nil)
        sessions[name] = OpenSession(session: session, delegate: delegate)
    }

    private mutating func refuse(_ task: TaskName, _ feature: String) {
        refusedTasks.insert(task)
        output.emit(.unsupported(feature: feature))
    }

    private mutating func make(_ description: TaskDescription) {
        guard !refusedSessions.contains(description.session) else {
            refusedTasks.insert(description.task)
            return
        }
        guard let session = sessions[description.session]?.session else { return fail("no session \(description.session)") }
        if description.policies.response == .becomeDownload {
            return refuse(description.task, Capability.becomeDownload.rawValue)
        }
        guard let url = URL(string: description.url) else {
            // Without a URL value there is nothing that URLSession could be asked.
            return refuse(description.task, "a URL that URL(string:) refuses: \(description.url)")
        }
        notes.begin(description)
        let task: URLSessionTask
        do {
            task = try TaskMaker(session: session, notes: notes, output: output).task(description, url)
        } catch {
            return fail("cannot make the task \(description.task): \(error)")
        }
        task.taskDescription = description.task.text
        tasks[description.task] = task
    }

    private func cancelProducingResumeData(_ task: URLSessionTask, _ name: TaskName) {
        guard let download = task as? URLSessionDownloadTask else { return fail("\(name) is no download") }
        download.cancel(byProducingResumeData: { [notes, output] data in
            notes.keep(resumeData: data, of: name)
            output.emit(name, .resumeDataProduced(length: data?.count))
        })
    }
}

extension SessionEvent.Implementation {
    static var foundation: SessionEvent.Implementation {
        #if compiler(>=6.4)
            let version = "with Swift 6.4 or later"
        #elseif compiler(>=6.3)
            let version = "with Swift 6.3"
        #else
            let version = "with Swift before 6.3"
        #endif
        return SessionEvent.Implementation(name: "FoundationNetworking", version: version, language: "Swift")
    }
}
