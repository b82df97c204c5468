import Foundation
import LabKernel

/// Lists the files in the private folder of a running program.
enum AdapterFiles {
    /// Maximum number of file names in a record.
    static let most = 100

    /// Returns the paths of the regular files in the folder, sorted and relative to it. Empty when the program has
    /// ended.
    static func present(of process: SpawnedProcess) -> [String] {
        let folder = URL(fileURLWithPath: process.fileSystemRoot + ClientEnvironment.folder)
        guard let walk = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var files: [String] = []
        while let name = walk.nextObject() as? String {
            if walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular { files.append(name) }
        }
        return files.sorted()
    }
}
