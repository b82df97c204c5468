import ArgumentParser
import Foundation
import TransferProtocol

/// Shows what the transfer daemon does.
@main
struct AdaptableTransfers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adaptable-transfers", abstract: "Shows the transfers of background sessions.",
        subcommands: [List.self, Watch.self, Cancel.self, Log.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List sessions and tasks.")

        func run() throws {
            for line in Listing(try DaemonConnection.open().sessions()).lines { print(line) }
        }
    }

    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show sessions and tasks whenever they change.")

        func run() throws {
            let connection = try DaemonConnection.open()
            var shown: [String] = []
            while true {
                let lines = Listing(try connection.sessions()).lines
                if lines != shown {
                    print((["", Date().formatted(.iso8601)] + lines).joined(separator: "\n"))
                    fflush(nil)
                    shown = lines
                }
                Thread.sleep(forTimeInterval: 1)
            }
        }
    }

    struct Cancel: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Cancel a task.")

        @Argument(help: "The identifier of the session.")
        var session: String

        @Argument(help: "The number of the task.")
        var task: Int

        func run() throws { try DaemonConnection.open().cancel(task, of: session) }
    }

    struct Log: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the daemon's log.")

        @Flag(name: .shortAndLong, help: "Continue with new lines.")
        var follow = false

        func run() throws {
            // The connection is made first, so that no line is missing in between.
            let connection = follow ? try DaemonConnection.open() : nil
            let path = TransferPlaces.own.state + "/log"
            if let text = try? String(contentsOfFile: path, encoding: .utf8) {
                print(text, terminator: "")
            } else if !follow {
                throw DaemonProblem("The log does not exist: \(path).")
            }
            fflush(nil)
            try connection?.watch { line in
                print(line)
                fflush(nil)
            }
        }
    }
}
