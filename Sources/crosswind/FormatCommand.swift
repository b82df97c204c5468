import ArgumentParser
import Foundation
import Lab
import LinkEngines
import ScenarioLanguage

struct FormatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "format", abstract: "Give scenario files one layout; comments stay.",
        discussion: """
            Orders the keys of the file, sets the spaces of one-line mappings and lists, removes blanks at line ends, and ends the \
            file with one line end. The values never change. With --check, files that would change are listed and the exit \
            status is 1.
            """)

    @Argument(help: "Scenario files or folders.", completion: .file())
    var paths: [String]

    @Flag(help: "Only list the files that would change.")
    var check = false

    func run() throws {
        let files: [String]
        do {
            files = try ScenarioFiles.find(in: paths)
        } catch {
            throw stop(Status.usage, "\(error)", isBare: true)
        }
        var errors = 0
        var changed = 0
        for file in files {
            do {
                let text = try ScenarioReader.text(ofFile: file)
                let formatted = try ScenarioFormatter.format(file: file, text: text)
                guard formatted != text else { continue }
                changed += 1
                print(check ? "would change \(file)" : "changed \(file)")
                if !check { try Data(formatted.utf8).write(to: URL(fileURLWithPath: file), options: .atomic) }
            } catch let error as ScenarioError {
                errors += 1
                Terminal.writeError("\(error)")
            } catch {
                throw stop(Status.machine, "cannot write \(file): \(reasonText(error))")
            }
        }
        if errors > 0 { throw Status.usage }
        if check, changed > 0 { throw Status.unexpected }
    }
}
