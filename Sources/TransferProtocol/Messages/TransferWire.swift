package import Foundation

/// A numbered command. Numbers rise in each process, so that a command can be sent again after a reconnection.
package struct TransferCommandLine: Codable, Hashable, Sendable {
    package var number: Int
    package var command: TransferCommand

    package init(number: Int, command: TransferCommand) {
        self.number = number
        self.command = command
    }
}

/// The lines on the socket: one JSON object each, in UTF-8.
package enum TransferWire {
    /// The version of the protocol, which `hello` and `welcome` carry. Other versions are refused. Kinds of messages that
    /// a reader does not know are skipped by clients and refused by the daemon.
    package static let version = 2

    package static func line(_ command: TransferCommandLine) -> [UInt8] { encode(command) }
    package static func line(_ message: TransferMessage) -> [UInt8] { encode(message) }

    /// Reads a command. Throws with the number of a command that is not understood, so that it can be refused.
    package static func command(_ line: [UInt8]) throws(TransferWireError) -> TransferCommandLine {
        do {
            return try decoder.decode(TransferCommandLine.self, from: Data(line))
        } catch {
            let number = try? decoder.decode(CommandNumber.self, from: Data(line)).number
            throw TransferWireError(number: number, problem: "\(error)")
        }
    }

    /// Reads a message; nil for one of an unknown kind.
    package static func message(_ line: [UInt8]) -> TransferMessage? {
        try? decoder.decode(TransferMessage.self, from: Data(line))
    }

    /// Reads what `encoder` writes. The daemon's store uses both too.
    package static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }

    private struct CommandNumber: Decodable { var number: Int }

    /// An encoder that accepts the numbers that JSON lacks, for example an infinite timeout.
    package static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }

    private static func encode(_ value: some Encodable) -> [UInt8] {
        // All fields are numbers, strings, and Foundation's own types, which JSON has.
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("a message has a value that JSON lacks")
        }
        return Array(data) + [UInt8(ascii: "\n")]
    }
}

/// A command that the daemon cannot read.
package struct TransferWireError: Error, Hashable, CustomStringConvertible {
    /// The number of the command, if that could be read.
    package var number: Int?
    package var problem: String

    package var description: String { "the command is not understood: \(problem)" }
}
