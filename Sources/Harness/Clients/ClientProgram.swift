import Dispatch
import Foundation
import Lab
import LinkEngines
import ScenarioLanguage

extension AdapterChoice {
    /// Returns the adapter of a client: its own one, a built-in one, or the adapter for commands.
    package static func client(_ client: Client, layout: InstallLayout) throws(HarnessError) -> AdapterChoice {
        var choice: AdapterChoice
        switch client.program {
        case .adapter(let name) where known.contains(name):
            choice = try builtIn(name, layout: layout)
            choice.baseline = "\(layout.folder)/Scenarios/baseline/\(name).yaml"
        case .adapter(let line):
            var words = try split(of: line)
            guard let first = words.first else {
                throw .adapterWillNotStart(command: client.id, reason: "its `adapter` is empty")
            }
            // The program is found from the client's folder, wherever Crosswind was started.
            if first.contains("/"), !first.hasPrefix("/") { words[0] = "\(client.folder)/\(first)" }
            choice = AdapterChoice(name: client.id, command: words)
            choice.folder = client.folder
        case .command(let template, let classes, let offers):
            choice = try command(template, classes: classes, offers: offers, layout: layout)
        }
        choice.name = client.id
        choice.profile = client.profile
        choice.clientFolder = client.folder
        choice.baseline = [client.baseline, choice.baseline].compactMap(\.self)
            .first(where: FileManager.default.fileExists)
        return choice
    }

    /// Returns the adapter of the client with this name; nil if no such client exists.
    package static func client(named name: String, layout: InstallLayout) throws(HarnessError) -> AdapterChoice? {
        let catalogue = ClientCatalogue(folder: ClientCatalogue.folder(layout))
        guard let entry = catalogue.entries.first(where: { $0.id == name }) else { return nil }
        switch entry.client {
        case .success(let found):
            // Otherwise the scenarios of a missing client would fail, as if it were wrong.
            if case .adapter(let line) = found.program, !known.contains(line) { _ = try found.installedVersion() }
            return try client(found, layout: layout)
        case .failure(let errors): throw .unusableClient("\(errors)")
        }
    }
}

extension Client {
    /// Runs the version command in the client's folder and returns the version in the first line of its output. The
    /// command may build the adapter, so that it gets minutes.
    package func installedVersion(withinSeconds limit: Int = 300) throws(HarnessError) -> String {
        let result: (status: Int32?, output: String, errors: String)
        do {
            result = try runVersion(limit)
        } catch {
            throw missing("its version command cannot be started: \(reasonText(error))")
        }
        guard let status = result.status else { throw missing("its version command did not end in time") }
        // Compilers close with a line that says only that they failed.
        let complaints = Client.lines(result.errors)
        let message = (complaints.first { $0.contains("error") } ?? complaints.last)
            .map { String($0.reversed().drop { $0 == "." }.reversed()) }
        guard status == 0 else {
            throw missing("its version command ended with status \(status)\(message.map { ": \($0)" } ?? "")")
        }
        guard let line = Client.lines(result.output).first else { throw missing("its version command printed nothing") }
        return String(Client.version(in: line).prefix(60))
    }

    /// Returns the number of a line such as `curl 8.14.1 (x86_64) libcurl/8.14.1`; a line that begins with a digit, or has
    /// only other words, is kept whole.
    static func version(in line: String) -> String {
        if line.first?.isNumber == true { return line }
        let words = line.split { $0 == " " || $0 == "," || $0 == "(" || $0 == ")" }
        return words.first { $0.first?.isNumber == true && $0.contains(".") }.map(String.init) ?? line
    }

    private func missing(_ reason: String) -> HarnessError { .clientMissing(name, reason: reason, install: install) }

    private static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private func runVersion(_ limit: Int) throws -> (status: Int32?, output: String, errors: String) {
        let manager = FileManager.default
        let place = manager.temporaryDirectory.appendingPathComponent("crosswind-version-\(UUID().uuidString)")
        try manager.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: place) }
        // Files, because a full pipe would block a program that prints much.
        func file(_ name: String) throws -> FileHandle {
            let url = place.appendingPathComponent(name)
            try Data().write(to: url)
            return try FileHandle(forWritingTo: url)
        }
        func text(_ name: String) -> String {
            String(decoding: manager.contents(atPath: place.appendingPathComponent(name).path) ?? Data(), as: UTF8.self)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", version]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try file("output")
        process.standardError = try file("errors")
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        guard ended.wait(timeout: .now() + .seconds(limit)) == .success else {
            process.terminate()
            return (nil, "", "")
        }
        return (process.terminationStatus, text("output"), text("errors"))
    }
}
