import AdapterProtocol
import ScenarioLanguage
import Conformance
import GeneratedBodies
import Lab

/// Creates the request bodies of a scenario's tasks: pattern bytes in memory, or files in the adapter's private folder.
struct TaskBodies {
    /// Files to place in the adapter's folder before it starts.
    private(set) var files: [String: [UInt8]] = [:]
    private var bodies: [TaskName: TaskDescription.Body] = [:]

    init(_ script: [ScriptStep]) {
        for case .task(let task, let plan?, starts: _) in script {
            let bytes = TaskBodies.bytes(plan.content, path: ParsedURL(task.url).path)
            switch plan.source {
            case .memory, .stream: bodies[task.task] = .bytes(bytes)
            case .file:
                // A name of the scenario's stands in a folder of its own, beside all other files.
                let name = "upload-\(files.count + 1)" + (plan.fileName.map { "/\($0)" } ?? "")
                files[name] = bytes
                bodies[task.task] = .file(path: "\(ClientEnvironment.folder)/\(name)")
            }
        }
    }

    func command(_ step: ScriptStep) -> AdapterCommand? {
        guard case .task(var task, body: _, starts: _) = step else { return nil }
        task.body = bodies[task.task]
        task.policies.challenges = task.policies.challenges.map(ClientIdentities.placed)
        return .makeTask(task)
    }

    private static func bytes(_ content: BodyPlan.Content, path: String) -> [UInt8] {
        switch content {
        case .text(let text): Array(text.utf8)
        case .pattern(let size):
            PatternBody.bytes(key: PatternBody.key(path: path, version: 1), from: 0, count: Int(size.bytes))
        }
    }
}
