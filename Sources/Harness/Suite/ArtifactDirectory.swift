import Foundation
import Lab
import LinkEngines

/// The folder for the records and captures of one invocation.
package struct ArtifactDirectory: Sendable {
    package let path: String

    /// Creates `given`, or a new folder under `.crosswind` named after the time; earlier ones are kept.
    package static func make(_ given: String?) throws(HarnessError) -> ArtifactDirectory {
        let manager = FileManager.default
        let path = given ?? fresh()
        let probe = path + "/.writable"
        do {
            try EvidenceFile.makeFolder(path)
            try EvidenceFile.write("x", to: probe)
            try manager.removeItem(atPath: probe)
        } catch {
            // A full disk takes the file, but not its byte.
            try? manager.removeItem(atPath: probe)
            throw .cannotWrite(path: path, reason: reasonText(error))
        }
        let results = ["summary.json", "matrix.json", "sweep.json", MutantsRun.controlFolder].map { "\(path)/\($0)" }
        if given != nil, results.contains(where: manager.fileExists) {
            throw .cannotWrite(path: path, reason: "it contains the evidence of an earlier run")
        }
        if given == nil { pointLatest(at: path) }
        return ArtifactDirectory(path: path)
    }

    private static func fresh() -> String {
        let format = DateFormatter()
        format.dateFormat = "yyyy-MM-dd-HHmmss"
        format.timeZone = TimeZone(identifier: "UTC")
        format.locale = Locale(identifier: "en_US_POSIX")
        return ".crosswind/\(format.string(from: Date()))-\(ProcessInfo.processInfo.processIdentifier)"
    }

    /// Points a `latest` link at the folder. Errors are ignored: runs do not depend on the link.
    private static func pointLatest(at path: String) {
        let link = ".crosswind/latest"
        try? FileManager.default.removeItem(atPath: link)
        try? FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: URL(fileURLWithPath: path).lastPathComponent)
    }

    /// Writes a file, which need not be in this folder; `option` is the option that named it.
    package func write(_ text: String, to file: String, option: String = "--out") throws(HarnessError) {
        do {
            try EvidenceFile.write(text, to: file)
        } catch {
            throw .cannotWrite(path: file, reason: reasonText(error), option: option)
        }
    }

    /// Appends to a file that another program has made, such as the job summary of a CI system, and that an environment
    /// variable names. It need not belong to this user, and its mode stays.
    package static func append(_ text: String, to file: String, variable: String) throws(HarnessError) {
        do {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
            defer { try? handle.close() }
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            throw .cannotWrite(path: file, reason: reasonText(error), option: "the variable \(variable)")
        }
    }
}
