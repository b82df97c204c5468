import ArgumentParser
import CommandAdapter

/// Speaks the adapter protocol for a command, inside the lab of a run with `--command`.
struct CommandAdapterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "command-adapter", abstract: "The adapter of `crosswind run --command`.", shouldDisplay: false)

    @Option var template: String
    @Option var classes: String?
    @Option var offers: String?

    func run() throws {
        let adapter: CommandAdapter
        do throws(CommandError) {
            adapter = try CommandAdapter(CommandSettings(template: template, classes: classes, offers: offers))
        } catch {
            throw stop(Status.usage, "\(error)")
        }
        adapter.run()
    }
}
