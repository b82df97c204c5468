import FoundationEssentials

/// Finds scenario files on disk.
package enum ScenarioFiles {
    /// Folders that a search for `.yaml` and `.yml` files skips; a file that is named explicitly is always included.
    static let skippedFolders: Set<String> = ["catalogue", "baseline", networks]
    /// The folder of network files beside the scenarios.
    static let networks = "networks"

    /// Returns the files in the order of `paths`, each folder's files sorted; a file reached by two paths is listed
    /// once.
    package static func find(in paths: [String]) throws(ScenarioError) -> [String] {
        var files: [String] = []
        var seen: Set<String> = []
        for path in paths {
            var isFolder = false
            guard exists(path, isFolder: &isFolder) else {
                throw ScenarioError(at: Place(file: path, line: 1, column: 1), "this file or folder does not exist")
            }
            let found =
                isFolder
                ? try walk(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path, depth: 0) : [path]
            files += found.filter { seen.insert($0).inserted }
        }
        return files
    }

    /// Returns the path below the nearest folder called `Scenarios`, without suffix; without such a folder, the file's
    /// name.
    package static func id(of path: String) -> String {
        var parts = path.split(separator: "/").map(String.init)
        guard var name = parts.popLast() else { return path }
        for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) && name.count > suffix.count {
            name = String(name.dropLast(suffix.count))
        }
        guard let root = parts.lastIndex(of: "Scenarios") else { return name }
        return (parts[(root + 1)...] + [name]).joined(separator: "/")
    }

    private static func walk(_ folder: String, depth: Int) throws(ScenarioError) -> [String] {
        // A symbolic link to a parent folder would recurse without end.
        guard depth < 32 else { return [] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw ScenarioError(at: Place(file: folder, line: 1, column: 1), "the folder cannot be read: \(error)")
        }
        var files: [String] = []
        for name in names where !name.hasPrefix(".") {
            let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            var isFolder = false
            guard exists(path, isFolder: &isFolder) else { continue }
            if isFolder {
                if !skippedFolders.contains(name) { files += try walk(path, depth: depth + 1) }
            } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
                files.append(path)
            }
        }
        return files
    }

    private static func exists(_ path: String, isFolder: inout Bool) -> Bool {
        FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    }
}
