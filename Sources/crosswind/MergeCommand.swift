import ArgumentParser
import Foundation
import Harness
import Lab
import Reports

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Join the results of the shards of a sweep or a matrix into one table.",
        discussion: """
            Give the folders that the shards wrote; a folder without results is searched for folders with them. All shards of one sweep or \
            matrix must be there, with the same scenarios, options and seed.
            """)

    @Argument(help: "Folders of shards, or folders that hold them.", completion: .directory)
    var folders: [String]

    @Option(help: "Folder for the joined results (default: a new one under .crosswind).", completion: .directory)
    var out: String?

    func run() throws {
        let files = try files()
        let matrices = files.filter { $0.hasSuffix("/\(MatrixReport.name)") }
        if matrices.isEmpty { return try mergeSweep(files) }
        if let sweep = files.first(where: { !matrices.contains($0) }) {
            throw stop(Status.usage, "\(matrices[0]) is of a matrix and \(sweep) of a sweep; join them separately")
        }
        try mergeMatrix(matrices)
    }

    private func mergeSweep(_ files: [String]) throws {
        let report = try sweeping { try SweepReport.merging(try files.map { ($0, try read($0)) }) }
        let folder = try stopping { try ArtifactDirectory.make(out) }
        try stopping { try folder.write(report) }
        print(report.text(in: folder.path))
        if report.count(.fail) > 0 { throw Status.unexpected }
    }

    private func mergeMatrix(_ files: [String]) throws {
        let report = try joining { try MatrixReport.merging(try files.map { ($0, try MergeCommand.matrix($0)) }) }
        let folder = try stopping { try ArtifactDirectory.make(out) }
        for file in files {
            try copyPages(of: report, from: String(file.dropLast(MatrixReport.name.count + 1)), to: folder)
        }
        try stopping { try folder.write(report) }
        print(report.lines.joined(separator: "\n"))
        print("Results: \(folder.path)/\(MatrixReport.page)")
        if !report.unexpected.isEmpty { throw Status.unexpected }
    }

    /// Copies the pages of the runs, so that the joined table leads to them. Only paths below the folder of a shard are
    /// followed: the report may come from elsewhere.
    private func copyPages(of report: MatrixReport, from shard: String, to folder: ArtifactDirectory) throws {
        for page in report.pages {
            guard let bytes = FileManager.default.contents(atPath: "\(shard)/\(page)") else { continue }
            try stopping { try folder.write(String(decoding: bytes, as: UTF8.self), to: "\(folder.path)/\(page)") }
        }
    }

    private func files() throws -> [String] {
        try folders.flatMap { folder -> [String] in
            let kinds = [SweepReport.name, MatrixReport.name]
            let own = kinds.map { "\(folder)/\($0)" }.filter(FileManager.default.fileExists)
            if !own.isEmpty { return own }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
            let found = names.flatMap { name in kinds.map { "\(folder)/\(name)/\($0)" } }
                .filter(FileManager.default.fileExists)
            if found.isEmpty {
                throw stop(
                    Status.usage,
                    "\(folder) is not the folder of a sweep or a matrix: it lacks \(kinds.joined(separator: " and "))")
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

    static func matrix(_ file: String) throws -> MatrixReport {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw stop(Status.usage, "\(file) cannot be read")
        }
        return try joining { try MatrixReport.read(Array(bytes), file: file) }
    }
}

/// Runs `body` and exits with status 2 when the matrices that it was given are wrong.
func joining<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as ShardError<MatrixReport> {
        throw stop(Status.usage, error.description)
    } catch let error as MissingMarkers {
        throw stop(Status.usage, error.description)
    }
}
