import ArgumentParser
import Foundation
import Harness
import Reports

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Join the results of a sweep's shards into one table.",
        discussion: """
            Give the folders that the shards wrote; a folder without results is searched for folders with them. All shards of one sweep must \
            be there, with the same scenarios, options and seed.
            """)

    @Argument(help: "Folders of shards, or folders that hold them.", completion: .directory)
    var folders: [String]

    @Option(help: "Folder for the joined results (default: a new one under .crosswind).", completion: .directory)
    var out: String?

    func run() throws {
        let report = try sweeping { try SweepReport.merging(try files().map { ($0, try read($0)) }) }
        let folder = try stopping { try ArtifactDirectory.make(out) }
        try stopping { try folder.write(report) }
        print(report.text(in: folder.path))
        if report.count(.fail) > 0 { throw Status.unexpected }
    }

    private func files() throws -> [String] {
        try folders.flatMap { folder -> [String] in
            let file = "\(folder)/\(SweepReport.name)"
            if FileManager.default.fileExists(atPath: file) { return [file] }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
            let found = names.map { "\(folder)/\($0)/\(SweepReport.name)" }.filter(FileManager.default.fileExists)
            if found.isEmpty {
                throw stop(Status.usage, "\(folder) is not the folder of a sweep: it lacks \(SweepReport.name)")
            }
            return found
        }
    }

    private func read(_ file: String) throws -> SweepReport {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw stop(Status.usage, "\(file) cannot be read")
        }
        return try SweepReport.read(Array(bytes), file: file)
    }
}
