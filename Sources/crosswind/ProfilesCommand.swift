import AdapterProtocol
import ArgumentParser
import Foundation
import Lab
import LinkEmulator
import LinkEngines
import Reports
import ScenarioLanguage

struct ProfilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles", abstract: "List the named network conditions, or draw the effect of one.",
        discussion: """
            crosswind profiles                        all profiles with their numbers
            crosswind profiles tunnel                 20 simulated seconds of one profile, and the source of its numbers
            crosswind profiles tunnel --svg t.svg     the same as a picture

            A drawing runs the profile through the emulator without a lab; it needs no privileges and takes less than 20 seconds.
            """)

    @Argument(help: "Draw this profile.", completion: .list(ProfileCatalogue.all.map(\.name)))
    var name: String?

    @Option(help: "Write the drawing as a picture to this file.", completion: .file())
    var svg: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if svg != nil, name == nil {
            throw ValidationError("--svg draws one profile; name it, as in: crosswind profiles tunnel --svg t.svg")
        }
        if svg != nil, json { throw ValidationError("--svg and --json cannot be combined") }
    }

    func run() throws {
        guard let name else { return list() }
        guard let profile = ProfileCatalogue.named(name) else {
            let known = ProfileCatalogue.all.map(\.name).joined(separator: ", ")
            throw stop(Status.usage, "the profile `\(name)` does not exist; choose one of \(known)")
        }
        let drawing = try stopping { try ProfileDrawing(profile) }
        if let svg {
            do { try Data(drawing.svg.utf8).write(to: URL(fileURLWithPath: svg)) } catch {
                throw stop(Status.machine, "cannot write \(svg): \(reasonText(error))")
            }
        } else if json {
            Terminal.write(TerminalSanitizer.json(drawing.json.line) + "\n")
        } else {
            for line in drawing.lines(width: Terminal.width) { print(line) }
        }
    }

    private func list() {
        if json { return Terminal.write(JSONValue.list(ProfileCatalogue.all.map(ProfileSummary.json)).line + "\n") }
        let header = ["NAME", "DOWN", "UP", "DELAY", "LOSS", "SUMMARY"]
        let rows = ProfileCatalogue.all.map { profile in
            [
                profile.name, ProfileSummary.rate(profile.downlink), ProfileSummary.rate(profile.uplink),
                ProfileSummary.delay(profile),
                ProfileSummary.loss(profile), profile.summary,
            ]
        }
        for line in TextTable([header] + rows, rightAligned: [1, 2]).lines { print(line) }
    }
}
