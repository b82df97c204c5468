import ArgumentParser
import Conformance
import Foundation
import Harness
import Lab
import LinkEngines
import ScenarioLanguage

struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Write a new scenario file with comments.",
        discussion: """
            crosswind new                                                   asks three questions
            crosswind new --task download --network lte --fault silence --out slow.yaml
            crosswind new --symptom double-post --out my-post.yaml          copies the scenario of a symptom

            Faults: \(faults). crosswind profiles lists the networks, and Scenarios/SYMPTOMS.md the symptoms.
            """)

    private static let faults = ScenarioTemplate.Fault.allCases.map(\.rawValue).joined(separator: ", ")

    @Option(help: "The kind of the task: data, download or upload.")
    var task: String?

    @Option(
        help: "A network profile, or `any` for a scenario that runs on every network.",
        completion: .list(["any"] + ProfileCatalogue.all.map(\.name)))
    var network: String?

    @Option(help: "The thing that goes wrong; see below.")
    var fault: String?

    @Option(help: "Copy the scenario of this symptom.")
    var symptom: String?

    @Option(help: "The file; default: a name made of the choices, in the working directory.", completion: .file())
    var out: String?

    func validate() throws {
        if symptom != nil, [task, network, fault].contains(where: { $0 != nil }) {
            throw ValidationError("--symptom copies a whole scenario; leave --task, --network and --fault out")
        }
    }

    func run() throws {
        let home = try stopping { try InstallLayout.find() }
        if let symptom { return try copy(symptom, home) }
        let isComplete = task != nil && network != nil && fault != nil
        guard isComplete || isatty(FileHandle.standardInput.fileDescriptor) == 1 else {
            throw stop(
                Status.usage,
                "standard input is not a terminal, so no question can be asked; give --task, --network and --fault, or --symptom"
            )
        }
        let task = try answer(task, "--task", "Kind of the task:", ScenarioTemplate.Task.allCases.map(\.rawValue))
        let profiles = ["any"] + ProfileCatalogue.all.map(\.name)
        let network = try answer(network, "--network", "Network:", profiles)
        let fault = try answer(
            fault, "--fault", "Fault:", ScenarioTemplate.Fault.allCases.map(\.rawValue))
        let template = ScenarioTemplate(
            task: ScenarioTemplate.Task(rawValue: task) ?? .data, network: network == "any" ? nil : network,
            fault: ScenarioTemplate.Fault(rawValue: fault) ?? .none)
        let path = out ?? template.fileName
        try write(template.text(schema: Self.schema(for: path, home)), to: path)
    }

    private func copy(_ name: String, _ home: InstallLayout) throws {
        let symptoms = try home.symptoms()
        guard let symptom = symptoms.first(where: { $0.name == name }) else {
            throw stop(
                Status.usage,
                "the symptom `\(name)` does not exist\(Spelling.hint(for: name, among: symptoms.map(\.name)))")
        }
        let path = out ?? "\(symptom.name).yaml"
        try write(symptom.copy(schema: Self.schema(for: path, home)), to: path)
    }

    /// Returns the option's value, or the answer to a question; an empty answer is the first choice.
    private func answer(_ given: String?, _ option: String, _ question: String, _ choices: [String]) throws -> String {
        if let given {
            guard choices.contains(given) else {
                throw stop(Status.usage, "\(option) is `\(given)`\(Spelling.hint(for: given, among: choices))")
            }
            return given
        }
        while true {
            Terminal.write("\(question) \(choices.joined(separator: ", ")) [\(choices[0])]: ")
            guard let line = readLine() else { throw stop(Status.usage, "no answer to: \(question)") }
            let answer = line.trimmingCharacters(in: .whitespaces)
            if answer.isEmpty { return choices[0] }
            if choices.contains(answer) { return answer }
            let near = Spelling.nearest(to: answer, among: choices).map { "; did you mean `\($0)`?" } ?? ""
            Terminal.write("`\(answer)` is not one of them\(near)\n")
        }
    }

    /// Returns the schema's path as the file's editor needs it: relative to the file, or absolute outside the project.
    static func schema(for path: String, _ home: InstallLayout) -> String {
        let folder = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
        return SchemaLocation.path(from: folder, home: URL(fileURLWithPath: home.folder).standardizedFileURL.path)
    }

    private func write(_ text: String, to path: String) throws {
        if FileManager.default.fileExists(atPath: path) {
            throw stop(Status.usage, "\(path) exists already; choose another name with --out")
        }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch {
            throw stop(Status.machine, "cannot write \(path): \(reasonText(error))")
        }
        print("wrote \(path)\nnext: crosswind run \(path) --adapter python")
    }
}
