/// Reads the commands of the harness for an adapter.
package struct CommandReader: Sendable {
    /// A line of the harness.
    package enum Input: Hashable, Sendable {
        case command(AdapterCommand)
        /// A command of a later version, which the adapter reports as unsupported.
        case unknown(word: String)
        /// A line that cannot be read; an adapter reports it and ends. Nothing follows.
        case unreadable(String)
    }

    private var lines = LineReader()
    private var sequence = SequenceCheck()

    package init() {}

    /// Returns what these bytes complete, in order.
    package mutating func append(_ bytes: [UInt8]) -> [Input] {
        var inputs: [Input] = []
        do throws(WireError) {
            for line in try lines.append(bytes) {
                do throws(WireError) {
                    let (number, command) = try AdapterCommand.decode(line: line)
                    try sequence.verify(number)
                    inputs.append(.command(command))
                } catch .unknownValue(let word, field: "command", _) {
                    sequence.skip()
                    inputs.append(.unknown(word: word))
                } catch {
                    return inputs + [.unreadable("\(error), in: \(Wire.excerpt(of: line))")]
                }
            }
        } catch {
            inputs.append(.unreadable("\(error)"))
        }
        return inputs
    }
}
