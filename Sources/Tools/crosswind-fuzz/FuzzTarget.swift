/// One reader of bytes from outside, and the conditions that its results must meet.
protocol FuzzTarget {
    /// The name on the command line.
    static var name: String { get }
    /// A short description of the input.
    static var subject: String { get }
    /// Creates the state that inputs share. It is replaced every `FuzzWorker.stretch` inputs, so that each finding can
    /// be reproduced.
    init()
    /// Creates an input and processes it; throws a finding if the result is wrong. A trap or the sanitizer's abort
    /// reports itself.
    ///
    /// - Returns: true if the input was accepted as valid: fuzzing that is rejected immediately proves little.
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
            PacketsTarget.self, FlowsTarget.self, OffloadTarget.self, LinksTarget.self, TranslatorTarget.self,
            ClientTranslatorTarget.self, DNSTarget.self, RequestsTarget.self, FramesTarget.self, ProxiesTarget.self,
            TracesTarget.self, DecisionsTarget.self,
            URLsTarget.self, ResponsesTarget.self, ResumptionsTarget.self, CacheFilesTarget.self,
            ServerFramesTarget.self, LinesTarget.self, MulticastTarget.self,
        ]
    }
}
