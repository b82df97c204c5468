import ArgumentParser
import Foundation
import Lab
import LinkEngines
import Reports

/// Writes the small table of a matrix into a document; scripts/readme-matrix calls it.
struct ReadmeMatrixCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readme-matrix", abstract: "Write an excerpt of a matrix between the two markers of a document.",
        shouldDisplay: false)

    @Argument(help: "The matrix.json of a whole matrix.", completion: .file())
    var matrix: String

    @Argument(help: "The document with the markers.", completion: .file())
    var document: String

    @Flag(help: "Change nothing; exit with status 1 if the document differs.")
    var check = false

    func run() throws {
        let report = try MergeCommand.matrix(matrix)
        guard let bytes = FileManager.default.contents(atPath: document) else {
            throw stop(Status.usage, "\(document) cannot be read")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let updated = try joining { try MatrixExcerpt.updating(text, file: document, with: report) }
        guard updated != text else { return }
        if check {
            throw stop(Status.unexpected, "\(document) differs from \(matrix); run scripts/readme-matrix \(matrix)")
        }
        do { try Data(updated.utf8).write(to: URL(fileURLWithPath: document)) } catch {
            throw stop(Status.machine, "cannot write \(document): \(reasonText(error))")
        }
    }
}
