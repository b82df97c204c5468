package import AdapterProtocol
import Dispatch
import Foundation
import Glibc
import Synchronization

/// An adapter for a client that is a command: each task is one process.
///
/// Commands of the harness arrive on one thread, the ends of processes on others.
package final class CommandAdapter: Sendable {
    private struct State {
        var sessions: [SessionName: SessionConfiguration] = [:]
        var tasks: [TaskName: Load] = [:]
        /// The number of tasks so far, which names their folders.
        var count = 0
        /// Lines of output in the record so far.
        var lines = 0
    }

    /// One task.
    private struct Load {
        var task: TaskDescription
        var running: RunningCommand?
        var isStarted = false
        var isCancelled = false
    }

    private let settings: CommandSettings
    private let about: Client
    private let program: String
    private let output: EventWriter
    /// The folder for the files of the tasks.
    private let folder: String
    private let state = Mutex(State())
    private static let mostLines = 2000

    /// The reply to `hello`, which is found before the lab is built: `curl --version` looks up the name of the machine,
    /// which a lab would count and may never reply to.
    package struct Client: Hashable, Sendable {
        package var version: String
        package var capabilities: Set<Capability>

        package init(version: String, capabilities: Set<Capability>) {
            self.version = version
            self.capabilities = capabilities
        }

        /// Examines the program of a command.
        package static func examine(_ settings: CommandSettings) throws(CommandError) -> Client {
            let program = try settings.locate()
            // An unknown program may do anything when it gets this option.
            let about = KnownProgram.find(settings.template.program) == nil ? "" : ProgramVersion.output(of: program)
            return Client(
                version: ProgramVersion.number(in: about), capabilities: settings.capabilities(about: about))
        }
    }

    package convenience init(_ settings: CommandSettings, _ about: Client) throws(CommandError) {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).path
        try self.init(settings, about, output: EventWriter(), folder: folder)
    }

    init(_ settings: CommandSettings, _ about: Client, output: EventWriter, folder: String) throws(CommandError) {
        self.settings = settings
        self.about = about
        self.output = output
        self.folder = folder
        program = try settings.locate()
    }

    /// Reads commands of the harness from standard input to its end.
    package func run() -> Never {
        var reader = CommandReader()
        while true {
            let bytes = FileHandle.standardInput.availableData
            if bytes.isEmpty { _exit(0) }
            for input in reader.append(Array(bytes)) {
                switch input {
                case .command(let command): handle(command)
                case .unknown(let word): output.emit(.unsupported(feature: "the command \(word)"))
                case .unreadable(let reason): fail(reason)
                }
            }
        }
    }

    private func fail(_ message: String) -> Never {
        output.emit(.adapterFailed(message: message))
        _exit(1)
    }

    func handle(_ command: AdapterCommand) {
        switch command {
        case .hello(let names): greet(names)
        case .makeSession(let name, let configuration): state.withLock { $0.sessions[name] = configuration }
        case .makeTask(let task):
            if let missing = settings.missing(for: task) {
                output.emit(.unsupported(feature: missing))
            } else {
                state.withLock { $0.tasks[task.task] = Load(task: task) }
            }
        case .resume(let name): start(name)
        case .cancel(let name): cancel(name)
        case .end: _exit(0)
        case .suspend, .cancelProducingResumeData, .inspect, .release, .readRetained, .inspectCache, .progress,
            .stream, .readProperty, .readSessionProperty, .listTasks, .configure, .invalidate, .empty, .restoreTask,
            .setApplicationState:
            output.emit(.unsupported(feature: "\(command.word) with a command"))
        }
    }

    private func greet(_ names: [String]) {
        let answers = names.map { name in
            (name, Capability(rawValue: name).map(about.capabilities.contains) ?? false)
        }
        output.emit(
            .hello(
                SessionEvent.Implementation(
                    name: settings.name, version: about.version, language: "command"),
                capabilities: Dictionary(answers) { $1 }, reports: CommandSettings.reports))
    }

    // MARK: - Tasks

    private func start(_ name: TaskName) {
        let started = state.withLock { state -> (task: TaskDescription, session: SessionConfiguration, number: Int)? in
            guard let load = state.tasks[name], !load.isStarted, !load.isCancelled else { return nil }
            state.tasks[name]?.isStarted = true
            state.count += 1
            let session = state.sessions[load.task.session] ?? SessionConfiguration()
            return (load.task, session, state.count)
        }
        guard let (task, session, number) = started else { return }
        do {
            let place = try TaskFiles(for: task, in: "\(folder)/crosswind-command-\(number)")
            let arguments = settings.template.arguments(for: place.values(for: task, of: session))
            output.emit(.log("\(name): \(([program] + arguments).joined(separator: " "))"))
            let writesFile = settings.template.uses(.file) || settings.template.uses(.name)
            let running = try RunningCommand(
                program: program, arguments: arguments, folder: place.folder, output: writesFile ? nil : place.file,
                line: { [self] in log("\(name): \($0)") },
                ended: { [self] in
                    finish(task, place, $0)
                    place.remove()
                })
            let isCancelled = state.withLock { state in
                state.tasks[name]?.running = running
                return state.tasks[name]?.isCancelled ?? false
            }
            if isCancelled { running.kill() }
        } catch {
            fail("\(name): cannot start \(program): \(error)")
        }
    }

    private func cancel(_ name: TaskName) {
        let (isPending, running) = state.withLock { state -> (Bool, RunningCommand?) in
            guard let load = state.tasks[name], !load.isCancelled else { return (false, nil) }
            state.tasks[name]?.isCancelled = true
            return (!load.isStarted, load.running)
        }
        running?.kill()
        guard isPending, let task = state.withLock({ $0.tasks[name]?.task }) else { return }
        complete(task, Failure(class: .cancelled, text: "cancelled before its start"))
    }

    private func finish(_ task: TaskDescription, _ place: TaskFiles, _ end: RunningCommand.End) {
        if state.withLock({ $0.tasks[task.task]?.isCancelled ?? false }) {
            return complete(task, Failure(class: .cancelled, text: "the command was killed"))
        }
        switch end.status {
        case .exited(0): deliver(task, place)
        case .exited(let status): fail(task, place, status, end.errors)
        case .signalled(let number):
            // A crash of the client must show as one.
            output.emit(.log("\(task.task): \(settings.name) was ended by signal \(number)"))
            signal(number, SIG_DFL)
            Glibc.kill(getpid(), number)
            _exit(1)
        }
    }

    private func fail(_ task: TaskDescription, _ place: TaskFiles, _ status: Int32, _ errors: String) {
        let lines = errors.split(separator: "\n")
        // Advice may follow the message.
        let text = String(
            lines.first { $0.hasPrefix("\(settings.name): ") || $0.contains("errorCode=") } ?? lines.last ?? "")
        switch settings.statuses.meaning(of: status, errors: errors) {
        case .usage:
            output.emit(.adapterFailed(message: "\(settings.name) refused its arguments (status \(status)): \(text)"))
        case .errorResponse where place.hasBody: deliver(task, place)
        case .errorResponse:
            output.emit(
                .unsupported(feature: "the body of a response with an error status (exit status \(status)): \(text)"))
        case .failure(let failure):
            // A delegate gets the bytes that arrived before the failure; the other forms deliver nothing then.
            if task.kind != .download, task.delivery == .delegate { report(task, place) }
            complete(task, Failure(domain: settings.name, code: Int(status), text: text, class: failure))
        }
    }

    private func deliver(_ task: TaskDescription, _ place: TaskFiles) {
        if task.kind == .download {
            let length = output.emit(task.task, fileAt: place.file) { .fileContent(offset: $0, $1) }
            if task.delivery == .delegate { output.emit(task.task, .didFinishDownloading(length: length)) }
        } else {
            report(task, place)
        }
        complete(task, nil)
    }

    private func report(_ task: TaskDescription, _ place: TaskFiles) {
        _ = output.emit(task.task, fileAt: place.file) { .didReceiveData($1) }
    }

    private func complete(_ task: TaskDescription, _ failure: Failure?) {
        switch task.delivery {
        case .delegate: output.emit(task.task, .didComplete(failure, resumeDataLength: nil))
        case .completionHandler: output.emit(task.task, .completionHandler(nil, failure, resumeDataLength: nil))
        }
    }

    private func log(_ text: String) {
        let number = state.withLock { state in
            state.lines += 1
            return state.lines
        }
        if number <= CommandAdapter.mostLines { output.emit(.log(text)) }
        if number == CommandAdapter.mostLines { output.emit(.log("further output of the commands is left out")) }
    }
}

/// The files of one task, in a folder that is the working directory of its command.
private struct TaskFiles {
    let folder: String
    let file: String
    private let body: String?
    private static let name = "response-body"

    init(for task: TaskDescription, in folder: String) throws {
        self.folder = folder
        file = "\(folder)/\(TaskFiles.name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        switch task.body {
        case nil: body = nil
        case .file(let path): body = path
        case .bytes(let bytes):
            body = "\(folder)/request-body"
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/request-body"))
        }
    }

    var hasBody: Bool {
        (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int).map { $0 > 0 } ?? false
    }

    func values(for task: TaskDescription, of session: SessionConfiguration) -> CommandValues {
        // Fields of the request take precedence over those of the session.
        let names = Set(task.headers.map { $0.name.lowercased() })
        return CommandValues(
            url: task.url, file: file, name: TaskFiles.name, method: task.method, body: body,
            headers: session.headers.filter { !names.contains($0.name.lowercased()) } + task.headers,
            requestTimeout: task.timeout ?? session.requestTimeout, resourceTimeout: session.resourceTimeout)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}

/// The version of a known program.
enum ProgramVersion {
    /// Returns what the program prints for `--version`; empty if it cannot be started.
    static func output(of program: String) -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--version"]
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "" }
        let output = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the first word of the first line that begins with a digit: `7.88.1` of `curl 7.88.1 (x86_64)`.
    static func number(in output: String) -> String {
        let words = output.split(separator: "\n").first?.split(separator: " ") ?? []
        return words.first { $0.first?.isNumber == true }.map(String.init) ?? ""
    }
}
