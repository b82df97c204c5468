import AdapterProtocol
import ArgumentParser
import CommandAdapter

/// Speaks the adapter protocol for a command, inside the lab of a run with `--command`.
struct CommandAdapterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "command-adapter", abstract: "The adapter of `crosswind run --command`.", shouldDisplay: false)

    @Option var template: String
    @Option var classes: String?
    /// The version of the client, and the names of its capabilities.
    @Option var clientVersion: String
    @Option var capabilities: String

    func run() throws {
        let adapter: CommandAdapter
        do throws(CommandError) {
            adapter = try CommandAdapter(
                CommandSettings(template: template, classes: classes),
                CommandAdapter.Client(
                    version: clientVersion,
                    capabilities: Set(
                        capabilities.split(separator: ",").compactMap { Capability(rawValue: String($0)) })))
        } catch {
            throw stop(Status.usage, "\(error)")
        }
        adapter.run()
    }
}
