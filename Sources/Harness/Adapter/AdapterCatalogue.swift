import AdapterProtocol
import CommandAdapter
import Foundation
import LabKernel
package import Record

/// The selected adapter: one that comes with Crosswind, or a command.
package struct AdapterChoice: Hashable, Sendable {
    /// `foundation`, `python`, or the first word of a command without its folder and suffix. The name of the baseline
    /// file.
    package var name: String
    package var command: [String]
    /// The folder in which it runs; nil: where Crosswind was started.
    package var folder: String?
    /// Its baseline file, if that is not `Scenarios/baseline/NAME.yaml`.
    package var baseline: String?
    /// The widest profile that it can be asked for; nil: not stated.
    package var profile: ClientProfile?
    /// The folder of its client in `scripts/clients`; nil for other adapters.
    package var clientFolder: String?

    /// Returns the file with its known failures. A client that is asked with several profiles has a file
    /// `baseline-PROFILE.yaml` where the failures differ from those of its `baseline`.
    package func baseline(asking profile: ClientProfile) -> String? {
        let own = clientFolder.map { "\($0)/baseline-\(profile.rawValue).yaml" }
        return own.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil } ?? baseline
    }

    package static let known = ["foundation", "python", "adaptable"]

    /// Parses a known adapter name, the name of a client folder, or a command line. Words are split at spaces; single
    /// or double quotes keep a word together.
    package static func parse(_ text: String, layout: InstallLayout) throws(HarnessError) -> AdapterChoice {
        if known.contains(text) { return try builtIn(text, layout: layout) }
        if let client = try client(named: text, layout: layout) { return client }
        let words = try split(of: text)
        guard let first = words.first else { throw .unknownAdapter(text, known: known) }
        if ProgramSearch.installed(first) == nil {
            guard words.count > 1 || first.contains("/") else { throw .unknownAdapter(text, known: known) }
            // Said once, not by each scenario.
            let reason = first.contains("/") ? "\(first) is not an executable file" : "\(first) is not installed"
            throw .adapterWillNotStart(command: text, reason: reason)
        }
        // The name is taken from the script, not from its interpreter.
        let script = words.last { !$0.hasPrefix("-") && FileManager.default.fileExists(atPath: $0) } ?? first
        let name = URL(fileURLWithPath: script).deletingPathExtension().lastPathComponent
        return AdapterChoice(name: name, command: words)
    }

    /// Returns one of the adapters that come with Crosswind.
    static func builtIn(_ name: String, layout: InstallLayout) throws(HarnessError) -> AdapterChoice {
        switch name {
        case "python":
            return AdapterChoice(
                name: name, command: ["python3", try layout.file("scripts/adapters/python-adapter.py")])
        default:
            return AdapterChoice(
                name: name, command: [try layout.program("\(name)-adapter")],
                clientFolder: "\(ClientCatalogue.folder(layout))/\(name)")
        }
    }

    /// Returns the adapter for a client that is a command. It is part of `crosswind` itself, which speaks the adapter
    /// protocol for the command inside the lab.
    ///
    /// - Parameters:
    ///   - template: The command with `{url}` and other placeholders.
    ///   - classes: Meanings of exit statuses, as in `6=nameResolution`.
    ///   - offers: Capabilities that the command has in addition, or with a minus sign lacks.
    package static func command(
        _ template: String, classes: String? = nil, offers: String? = nil, layout: InstallLayout
    ) throws(HarnessError) -> AdapterChoice {
        let program = try layout.program("crosswind")
        do throws(CommandError) {
            let settings = try CommandSettings(template: template, classes: classes, offers: offers)
            let client = try CommandAdapter.Client.examine(settings)
            let capabilities = client.capabilities.map(\.rawValue).sorted().joined(separator: ",")
            // Joined with `=`, because a value may begin with a minus sign.
            var command = [
                program, "command-adapter", "--template=\(template)",
                "--client-version=\(client.version)", "--capabilities=\(capabilities)",
            ]
            if let classes { command.append("--classes=\(classes)") }
            return AdapterChoice(name: settings.name, command: command)
        } catch {
            throw .unusableCommand(error)
        }
    }

    /// Splits a command line, in which single or double quotes keep a word together.
    static func split(of text: String) throws(HarnessError) -> [String] {
        guard let words = CommandTemplate.words(of: text, withPlaceholders: false) else {
            throw .adapterWillNotStart(command: text, reason: "it has a quote that is not closed")
        }
        return words
    }
}
