import ArgumentParser
import Harness

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Check scenario files without running them.",
        discussion: "Every error is one line, FILE:LINE:COLUMN: message, on standard error; the exit status is then 2.")

    @OptionGroup var selection: SelectionOptions

    func run() throws {
        let home = try stopping { try InstallLayout.find() }
        let scenarios = try selection.load(home)
        print("\(scenarios.count) scenario\(scenarios.count == 1 ? "" : "s") valid")
    }
}
