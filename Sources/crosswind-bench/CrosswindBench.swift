import Foundation
import Harness
import LinuxNet

/// Measures what Crosswind costs, each figure beside its peer or limit in the same run, and prints one table.
@main enum CrosswindBench {
    static func main() {
        do {
            let options = try BenchOptions(CommandLine.arguments.dropFirst())
            try Rootless.reenterIfNeeded()
            var table = FigureTable()
            for (name, measure) in sections where options.wants(name) {
                FileHandle.standardError.write(Data("measuring \(name)…\n".utf8))
                for figure in try measure(options) { table.add(figure) }
            }
            print(table.text(command: options.command), terminator: "")
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
        ("delay", DelayFigures.measure), ("suite", SuiteFigures.measure),
    ]
}
