import AdapterProtocol
import Foundation
package import Conformance
import Lab
import LinkEngines

/// Reads the mutants that an adapter offers: `ADAPTER --mutants` prints one JSON object per line (`name`, `breaks`,
/// `what`), and `ADAPTER --mutant NAME` runs that faulty session.
package enum MutantList {
    /// The time after which an adapter is assumed not to support `--mutants`.
    private static let timeout: TimeInterval = 10

    package static func load(_ adapter: AdapterChoice) throws(HarnessError) -> [Mutant] {
        let text = try output(of: adapter)
        var mutants: [Mutant] = []
        for (number, line) in text.split(separator: "\n").enumerated() {
            guard let mutant = read(Data(line.utf8)) else {
                throw .unusableMutants(adapter.name, "line \(number + 1) is not a mutant: \(line.prefix(80))")
            }
            mutants.append(mutant)
        }
        guard !mutants.isEmpty else { throw .unusableMutants(adapter.name, "it offers none") }
        let twice = Dictionary(grouping: mutants, by: \.name).first { $0.value.count > 1 }
        if let twice { throw .unusableMutants(adapter.name, "two of them are called \(twice.key)") }
        return mutants
    }

    static func read(_ line: Data) -> Mutant? {
        struct Line: Decodable {
            var name: String
            var breaks: [String]
            var what: String
        }
        guard let line = try? JSONDecoder().decode(Line.self, from: line), !line.name.isEmpty, !line.breaks.isEmpty
        else { return nil }
        return Mutant(name: line.name, breaks: line.breaks, what: line.what)
    }

    private static func output(of adapter: AdapterChoice) throws(HarnessError) -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = adapter.command + ["--mutants"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw .unusableMutants(adapter.name, "it cannot be started: \(reasonText(error))")
        }
        let end = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout, execute: end)
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        end.cancel()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw .unusableMutants(adapter.name, "it does not support --mutants")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw .unusableMutants(adapter.name, "its output is not UTF-8 text")
        }
        return text
    }
}

extension AdapterChoice {
    /// Returns the same adapter running that mutant.
    package func asMutant(_ mutant: Mutant) -> AdapterChoice {
        AdapterChoice(name: "\(name)+\(mutant.name)", command: command + ["--mutant", mutant.name])
    }
}
