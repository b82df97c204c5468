import AdapterProtocol
import AdaptableSession
import Foundation
import Glibc

/// Drives AdaptableSession for Crosswind.
@main
enum AdaptableAdapter {
    static func main() {
        switch AdapterArguments(CommandLine.arguments) {
        case .session(let policies): converse(policies)
        case .mutantList: for mutant in SessionMutant.all { print(mutant.line) }
        case .wrong(let reason):
            FileHandle.standardError.write(Data("\(reason)\n".utf8))
            exit(2)
        }
    }

    private static func converse(_ policies: SessionPolicies) -> Never {
        let output = EventOutput()
        var player = CommandPlayer(output: output, policies: policies)
        var lines = LineReader()
        var sequence = SequenceCheck()
        while true {
            let bytes = FileHandle.standardInput.availableData
            if bytes.isEmpty { leave(0) }
            do throws(WireError) {
                for line in try lines.append(Array(bytes)) {
                    do throws(WireError) {
                        let (number, command) = try AdapterCommand.decode(line: line)
                        try sequence.take(number)
                        player.play(command)
                    } catch .unknownWord(let word, field: "command", _) {
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

    /// Without the exit handlers: transfers may still run on other threads, and what is told has been written.
    static func leave(_ status: Int32) -> Never { _exit(status) }
}
