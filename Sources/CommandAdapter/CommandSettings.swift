package import AdapterProtocol
import Foundation
import LabKernel

/// A command as a client: its template, the meanings of its exit statuses, and the capabilities that it has.
package struct CommandSettings: Hashable, Sendable {
    package let template: CommandTemplate
    package let statuses: ExitStatusMap
    /// Capabilities that the user adds to or takes from those that the command is known to have.
    private let added: Set<Capability>
    private let removed: Set<Capability>

    /// - Parameters:
    ///   - classes: Meanings of exit statuses, as in `6=nameResolution`; they precede those of known programs.
    ///   - offers: Capabilities with commas between; a minus sign takes one back.
    package init(template: String, classes: String? = nil, offers: String? = nil) throws(CommandError) {
        let template = try CommandTemplate(template)
        self.template = template
        let known = KnownProgram.find(template.program)?.statuses ?? ExitStatusMap()
        statuses = known.overridden(by: try ExitStatusMap.parse(classes ?? ""))
        var (added, removed): (Set<Capability>, Set<Capability>) = ([], [])
        for word in (offers ?? "").split(whereSeparator: { $0 == "," || $0 == " " }) {
            let isRemoved = word.hasPrefix("-")
            guard let capability = Capability(rawValue: String(isRemoved ? word.dropFirst() : word)) else {
                throw .unknownOffer(String(word))
            }
            if isRemoved { removed.insert(capability) } else { added.insert(capability) }
        }
        (self.added, self.removed) = (added, removed)
    }

    /// The name of the client: the program without its folder.
    package var name: String { URL(fileURLWithPath: template.program).deletingPathExtension().lastPathComponent }

    /// Returns the path of the program, or throws if it is not installed.
    package func locate(path: String? = ProcessInfo.processInfo.environment["PATH"]) throws(CommandError) -> String {
        guard let found = try? ProgramSearch.find(template.program, path: path) else {
            throw .notInstalled(template.program)
        }
        return found
    }

    /// Returns the capabilities of the command. `about` is what the program prints for `--version`.
    ///
    /// A command loads a URL into a file and ends, so it can do every task whose result is a body. Whether callbacks are
    /// reported is separate: see `reports`.
    package func capabilities(about: String) -> Set<Capability> {
        var offered: Set<Capability> = [.data, .download, .delegate, .completionHandler, .tls]
        if template.uses(.body) { offered.insert(.upload) }
        if template.uses(.headers) { offered.insert(.sessionHeaders) }
        if template.uses(.requestTimeout) { offered.insert(.requestTimeout) }
        if template.uses(.resourceTimeout) { offered.insert(.resourceTimeout) }
        if let known = KnownProgram.find(template.program) {
            offered.formUnion(known.offers(template.fixedWords, about))
        }
        return offered.union(added).subtracting(removed)
    }

    /// The events that a command can show: that it ended, and what it wrote.
    package static let reports: ReportedEvents = [
        "didReceiveData", "fileContent", "didFinishDownloading", "completionHandler", "didComplete",
    ]

    /// Returns the feature that the command lacks for a task; nil if it can do the task.
    package func missing(for task: TaskDescription) -> String? {
        if task.method == "HEAD" { return "the method HEAD: a command cannot show a response without a body" }
        let isImplied = task.method == nil || task.method == "GET" || (task.method == "POST" && task.body != nil)
        if !isImplied, !template.uses(.method) { return lacks("the method \(task.method ?? "")", .method) }
        if task.body != nil, !template.uses(.body) { return lacks("a request body", .body) }
        if !task.headers.isEmpty, !template.uses(.headers) { return lacks("header fields of the request", .headers) }
        return nil
    }

    private func lacks(_ feature: String, _ placeholder: CommandTemplate.Placeholder) -> String {
        "\(feature): the command does not contain {\(placeholder.rawValue)}"
    }
}
