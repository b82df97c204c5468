import AdapterProtocol
import Foundation
import Glibc

/// Reads commands from standard input to its end and carries them out; an unreadable command is reported to the harness
/// and ends the program.
package enum CommandLoop {
    /// - Parameter interception: Makes a wrong session of the right one.
    package static func run(
        _ implementation: some SessionImplementation, _ interception: Interception = Interception()
    ) -> Never {
        let output = EventOutput(changing: interception.event)
        var handler = CommandHandler(implementation, output: output)
        var reader = CommandReader()
        while true {
            let bytes = FileHandle.standardInput.availableData
            if bytes.isEmpty { leave(0) }
            for input in reader.append(Array(bytes)) {
                switch input {
                case .command(let command):
                    for command in interception.command?(command) ?? [command] { handler.play(command) }
                case .unknown(let word): output.emit(.unsupported(feature: "the command \(word)"))
                case .unreadable(let reason):
                    output.emit(.adapterFailed(message: reason))
                    leave(1)
                }
            }
        }
    }

    /// Exits without the exit handlers: transfers may still run on other threads, and all events have been written.
    static func leave(_ status: Int32) -> Never { _exit(status) }
}
