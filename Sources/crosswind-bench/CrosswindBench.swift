import Foundation
import Harness
import LinuxNet

/// Measures the cost and the accuracy of Crosswind, each figure next to a peer or limit in the same run, and prints one
/// table.
@main enum CrosswindBench {
    static func main() {
        do {
            if let role = try PeerEnd(CommandLine.arguments.dropFirst()) { return try role.play() }
            if CommandLine.arguments.count == 3, CommandLine.arguments[1] == MemoryFigures.role {
                return try MemoryFigures.playTraced(Int(CommandLine.arguments[2]) ?? 0)
            }
            let options = try BenchOptions(CommandLine.arguments.dropFirst())
            try Rootless.reenterIfNeeded()
            var table = FigureTable()
            for (name, measure) in sections where options.wants(name) {
                FileHandle.standardError.write(Data("measuring \(name)…\n".utf8))
                // A section that fails adds a note and does not affect the others.
                do { for figure in try measure(options) { table.add(figure) } } catch {
                    table.add(note: "\(name): not measured: \(error)")
                }
            }
            if options.wants("peers") { for note in PeerFigures.missing { table.add(note: note) } }
            try FileHandle.standardOutput.write(contentsOf: Data(table.text(command: options.command).utf8))
            if options.withNetem { try TruthFigures.measureUnderNetemKernel(options) }
        } catch let error as BenchOptions.Misuse {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(2)
        } catch {
            FileHandle.standardError.write(Data("crosswind-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static let sections: [(String, @Sendable (BenchOptions) throws -> [Figure])] = [
        ("lab", LabFigures.measure), ("packets", PacketFigures.measure), ("tcp", StreamFigures.measure),
        ("delay", DelayFigures.measure), ("truth", TruthFigures.measure), ("peers", PeerFigures.measure),
        ("memory", MemoryFigures.measure), ("origin", OriginFigures.measure), ("session", SessionFigures.measure),
        ("suite", SuiteFigures.measure),
    ]
}
