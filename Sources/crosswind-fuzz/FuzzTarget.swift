/// One reader of bytes that come from outside, and what must be true of whatever it makes of them.
protocol FuzzTarget {
    /// As on the command line.
    static var name: String { get }
    /// What is read, in a few words.
    static var subject: String { get }
    /// The state that inputs share. It begins anew every `FuzzWorker.stretch` inputs, so that each finding can be had again.
    init()
    /// Makes an input and plays it; throws what is wrong with the outcome. A trap or the sanitizer's abort says so by itself.
    /// - Returns: whether the input was taken for what it is meant to be: fuzzing that is refused at the door proves little.
    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool
}

struct FuzzFinding: Error, CustomStringConvertible {
    let text: String
    let input: [UInt8]

    init(_ text: String, _ input: [UInt8]) {
        self.text = text
        self.input = input
    }

    var description: String {
        let hex = input.prefix(2048).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        return "\(text); input of \(input.count) bytes: \(hex.joined())"
    }
}

enum FuzzTargets {
    static var all: [any FuzzTarget.Type] {
        [
            PacketsTarget.self, FlowsTarget.self, TrainsTarget.self, LinksTarget.self, TranslatorTarget.self,
            ClientTranslatorTarget.self, NamesTarget.self, RequestsTarget.self, FramesTarget.self, ProxiesTarget.self, TracesTarget.self, DecisionsTarget.self,
        ]
    }
}
