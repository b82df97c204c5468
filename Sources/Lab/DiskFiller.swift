import Foundation
import LabKernel
import LinkEngines

/// Makes the disk that holds a running program's files full, with one more file in its private folder.
package enum DiskFiller {
    /// The limit of a private folder that is going to be filled, in the form of tmpfs(5).
    static let size = "64m"
    private static let most: Int64 = 64 << 20
    /// The file, below the private folder.
    package static let name = ".crosswind-fills-the-disk"

    /// Returns when no further byte can be written.
    static func fill(for process: SpawnedProcess) throws(LabError) {
        let path = path(for: process)
        do {
            let folder = (path as NSString).deletingLastPathComponent
            let space = try FileManager.default.attributesOfFileSystem(forPath: folder)
            guard let size = (space[.systemSize] as? NSNumber)?.int64Value, size <= most else {
                throw LabError.failed(
                    "the program's private folder is too large to be filled; `disk: full` needs to stand in the scenario"
                )
            }
            _ = FileManager.default.createFile(atPath: path, contents: nil)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            defer { try? file.close() }
            try file.seekToEnd()
            // Whole pages at the end: a write that does not fit is not always done in part.
            for piece in [Data(count: 1 << 20), Data(count: 4096)] {
                for _ in 0...most / Int64(piece.count) {
                    do { try file.write(contentsOf: piece) } catch { break }
                }
            }
        } catch let error as LabError {
            throw error
        } catch {
            // The program has ended, and its files no longer exist.
            guard FileManager.default.fileExists(atPath: process.fileSystemRoot) else { return }
            throw .failed("the program's private folder cannot be filled: \(error.localizedDescription)")
        }
    }

    static func free(for process: SpawnedProcess) { try? FileManager.default.removeItem(atPath: path(for: process)) }

    private static func path(for process: SpawnedProcess) -> String {
        "\(process.fileSystemRoot)\(ClientEnvironment.folder)/\(name)"
    }
}
