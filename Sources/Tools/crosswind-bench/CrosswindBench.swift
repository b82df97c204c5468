import Foundation
import LabKernel

/// Measures the cost and the accuracy of Crosswind, each figure next to a peer or limit in the same run, and prints one
/// table.
@main enum CrosswindBench {
    static func main() {
        do {
            if CommandLine.arguments.count == 3, CommandLine.arguments[1] == MemoryBenchmark.role {
                return try MemoryBenchmark.playTraced(Int(CommandLine.arguments[2]) ?? 0)
            }
            let options = try BenchOptions(CommandLine.arguments.dropFirst())
            try Rootless.reenterIfNeeded()
            var table = MeasurementTable()
            for (name, measure) in sections where options.wants(name) {
                FileHandle.standardError.write(Data("measuring \(name)…\n".utf8))
                // A section that fails adds a note and does not affect the others.
                do { for measurement in try measure(options) { table.add(measurement) } } catch {
                    table.add(note: "\(name): not measured: \(error)")
                }
            }
            if options.wants("peers") { for note in PeerBenchmark.missing { table.add(note: note) } }
            try FileHandle.standardOutput.write(contentsOf: Data(table.text(command: options.command).utf8))
            if options.withNetem { try AccuracyBenchmark.measureUnderNetemKernel(options) }
        } catch let error as BenchOptions.Misuse {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(2)
        } catch {
            FileHandle.standardError.write(Data("crosswind-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static let sections: [(String, @Sendable (BenchOptions) throws -> [Measurement])] = [
        ("lab", LabBenchmark.measure), ("packets", PacketBenchmark.measure), ("tcp", StreamBenchmark.measure),
        ("delay", DelayBenchmark.measure), ("truth", AccuracyBenchmark.measure), ("peers", PeerBenchmark.measure),
        ("memory", MemoryBenchmark.measure), ("origin", OriginBenchmark.measure), ("session", SessionBenchmark.measure),
        ("suite", SuiteBenchmark.measure), ("transfers", TransferBenchmark.measure),
    ]
}
