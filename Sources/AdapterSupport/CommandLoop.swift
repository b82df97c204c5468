import AdapterProtocol
import Foundation
import Glibc

/// Reads commands from standard input to its end and carries them out; an unreadable command is reported to the harness
/// and ends the program.
package enum CommandLoop {
    package static func run(_ implementation: some SessionImplementation) -> Never {
        let output = EventOutput()
        var handler = CommandHandler(implementation, output: output)
        var lines = LineReader()
        var sequence = SequenceCheck()
        while true {
            let bytes = FileHandle.standardInput.availableData
            if bytes.isEmpty { leave(0) }
            do throws(WireError) {
                for line in try lines.append(Array(bytes)) {
                    do throws(WireError) {
                        let (number, command) = try AdapterCommand.decode(line: line)
                        try sequence.verify(number)
                        handler.play(command)
                    } catch .unknownValue(let word, field: "command", _) {
                        sequence.skip()
                        output.emit(.unsupported(feature: "the command \(word)"))
                    } catch {
                        output.emit(.adapterFailed(message: "\(error), in: \(Wire.excerpt(of: line))"))
                        leave(1)
                    }
                }
            } catch {
                output.emit(.adapterFailed(message: "\(error)"))
                leave(1)
            }
        }
    }

    /// Exits without the exit handlers: transfers may still run on other threads, and all events have been written.
    static func leave(_ status: Int32) -> Never { _exit(status) }
}
