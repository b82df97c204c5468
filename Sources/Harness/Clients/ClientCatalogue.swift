import Foundation
package import Record
package import ScenarioLanguage

/// A client of the folder `scripts/clients`: an adapter or a command, with its version and installation.
package struct Client: Hashable, Sendable {
    package enum Program: Hashable, Sendable {
        /// A command line that speaks the adapter protocol, or the name of an adapter that comes with Crosswind.
        case adapter(String)
        /// A command with `{url}`; `classes` are the meanings of its exit statuses as `6=nameResolution,7=refused`, and
        /// `offers` the capabilities that its placeholders do not show.
        case command(String, classes: String?, offers: String?)
    }

    /// The name of its folder.
    package var id: String
    package var folder: String
    /// For readers.
    package var name: String
    package var language: String
    package var program: Program
    /// A shell command that prints the version.
    package var version: String
    /// The command that installs it, for people and CI.
    package var install: String
    /// The widest profile that the client can be asked for.
    package var profile: ClientProfile

    package static let file = "client.yaml"

    /// The client's known failures; the file need not exist.
    package var baseline: String { folder + "/baseline.yaml" }

    // MARK: Reading

    package static func read(folder: String) throws(ScenarioErrors) -> Client {
        let file = "\(folder)/\(Client.file)"
        return try read(file: file, text: try ShapedFile.text(path: file), folder: folder)
    }

    static func read(file: String, text: String, folder: String) throws(ScenarioErrors) -> Client {
        let made = try ShapedFile.read(file: file, text: text, as: shape, what: "a client") { tree, findings in
            Client(tree, folder: folder, findings: &findings)
        }
        // Without a finding the value is complete.
        guard let made else { preconditionFailure("an incomplete client without an error") }
        return made
    }

    private init?(_ tree: Value, folder: String, findings: inout Findings) {
        guard let fields = tree.fields else { return nil }
        let adapter = fields.text("adapter")
        let command = fields.text("command")
        for key in ["classes", "offers"] where fields.has(key) && command == nil {
            findings.refuse(fields.place(of: key), "`\(key)` describes a command; write `command` beside it")
        }
        if adapter != nil, command != nil {
            findings.refuse(fields.place(of: "command"), "a client has `adapter` or `command`, not both")
        }
        if adapter == nil, command == nil {
            findings.refuse(
                fields.place, "the client lacks its program: write `adapter`, or `command` with {url}")
        }
        if let command, !command.contains("{url}") {
            findings.refuse(
                fields.place(of: "command"), "the command lacks {url}; write it where the URL of a request belongs")
        }
        guard let name = fields.text("name"), let language = fields.text("language"),
            let version = fields.text("version"), let install = fields.text("install"),
            let profile = fields.text("profile").flatMap(ClientProfile.init(rawValue:))
        else { return nil }
        id = URL(fileURLWithPath: folder).lastPathComponent
        self.folder = folder
        self.name = name
        self.language = language
        self.version = version
        self.install = install
        self.profile = profile
        if let command {
            let classes = fields.pairs("classes").compactMap { pair in pair.value.text.map { "\(pair.key)=\($0)" } }
            let offers = fields.texts("offers")
            program = .command(
                command, classes: classes.isEmpty ? nil : classes.joined(separator: ","),
                offers: offers.isEmpty ? nil : offers.joined(separator: ","))
        } else {
            program = .adapter(adapter ?? "")
        }
    }

    private static let shape = Shape.object([
        Field("name", .text, required: true, "The name for readers."),
        Field("language", .text, required: true, "The programming language."),
        Field("adapter", .text, "The adapter's command, run in this folder, or the name of a built-in adapter."),
        Field("command", .text, "A command with {url} instead of an adapter."),
        Field(
            "classes", .mapping(key: "exit statuses", .text), "The class of error for each exit status of the command."
        ),
        Field("offers", .oneOrMore(.text), "Capabilities of the command that its placeholders do not show."),
        Field("version", .text, required: true, "A shell command that prints the version."),
        Field("install", .text, required: true, "How to install it."),
        Field(
            "profile", .word(ClientProfile.allCases.map(\.rawValue)), required: true,
            "The widest profile that the client can be asked for."),
    ])
}

extension ClientProfile {
    /// Returns true if a client of this profile can be asked what `other` asks: each profile asks everything of those
    /// before it.
    package func includes(_ other: ClientProfile) -> Bool {
        let order: [ClientProfile] = [.httpClient, .browser, .urlsession]
        guard let own = order.firstIndex(of: self), let asked = order.firstIndex(of: other) else { return false }
        return asked <= own
    }
}

/// The clients of a folder, each in a folder of its own with a `client.yaml`.
package struct ClientCatalogue: Sendable {
    /// A client, or the errors of its file.
    package struct Entry: Sendable {
        package var id: String
        package var client: Result<Client, ScenarioErrors>
    }

    /// The clients by their names.
    package let entries: [Entry]

    /// The folder of the clients that come with Crosswind.
    package static func folder(_ layout: InstallLayout) -> String { layout.folder + "/scripts/clients" }

    /// Reads every client of `folder`; a folder that does not exist has none. An error in one file leaves the others
    /// usable.
    package init(folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
        entries = names.compactMap { name in
            let own = "\(folder)/\(name)"
            guard FileManager.default.fileExists(atPath: "\(own)/\(Client.file)") else { return nil }
            do throws(ScenarioErrors) {
                return Entry(id: name, client: .success(try Client.read(folder: own)))
            } catch {
                return Entry(id: name, client: .failure(error))
            }
        }
    }

    /// Returns the clients with these names in the catalogue's order; `all` names every client.
    package func select(_ names: [String]) throws(HarnessError) -> [Entry] {
        let known = entries.map(\.id)
        if let unknown = names.first(where: { $0 != "all" && !known.contains($0) }) {
            throw .unknownClient(unknown, known: known)
        }
        return names.contains("all") ? entries : entries.filter { names.contains($0.id) }
    }
}
