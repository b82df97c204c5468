import Foundation
import LinuxNet

/// The files that a running program's private folder holds.
enum AdapterFiles {
    /// A record names so many; more would say no more.
    static let most = 100

    /// Paths within the folder, sorted; without folders and what is no plain file. Empty when the program has ended.
    static func present(of process: SpawnedProcess) -> [String] {
        let folder = URL(fileURLWithPath: process.fileSystemRoot + ClientWorld.folder)
        guard let walk = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var files: [String] = []
        while let name = walk.nextObject() as? String {
            if walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular { files.append(name) }
        }
        return files.sorted()
    }
}
