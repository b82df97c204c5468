import FoundationEssentials

/// The networks that can be named: the built-in ones and those of files.
package struct NetworkCatalogue: Sendable {
    package private(set) var networks: [NamedNetwork]

    package static let builtIn = NetworkCatalogue(networks: BuiltInNetworks.all)
    /// The words of `--network` that are not names.
    package static let words = ["all", "own"]

    package func named(_ name: String) -> NamedNetwork? { networks.first { $0.name == name } }

    /// Adds the network of a file. A file that is given twice is added once.
    @discardableResult
    package mutating func add(file: String) throws(ScenarioErrors) -> NamedNetwork {
        let path = Self.absolute(file)
        if let known = networks.first(where: { $0.file.map(Self.absolute) == path }) { return known }
        let network = try NamedNetwork.read(file: file, text: try ShapedFile.text(path: file))
        let place = Place(file: file, line: 1, column: 1)
        if let other = named(network.name) {
            let owner = other.file ?? "a built-in network"
            throw ScenarioErrors([
                ScenarioError(at: place, "`\(network.name)` is also the name of \(owner); rename the file")
            ])
        }
        if Self.words.contains(network.name) {
            throw ScenarioErrors([
                ScenarioError(at: place, "`\(network.name)` has a meaning for --network; rename the file")
            ])
        }
        networks.append(network)
        return network
    }

    /// Adds every network file of a folder.
    package mutating func add(folder: String) throws(ScenarioErrors) {
        let files: [String]
        do { files = try ScenarioFiles.find(in: [folder]) } catch { throw ScenarioErrors([error]) }
        for file in files { try add(file: file) }
    }

    /// Adds the folder `networks` of each path and of the nearest folder called `Scenarios` above it, where they exist.
    package mutating func addFolders(beside paths: [String]) throws(ScenarioErrors) {
        for folder in paths.flatMap(Self.folders) {
            var isFolder = false
            if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder {
                try add(folder: folder)
            }
        }
    }

    private static func folders(beside path: String) -> [String] {
        var parts = absolute(path).split(separator: "/").map(String.init)
        var folders = ["/" + (parts + [ScenarioFiles.networks]).joined(separator: "/")]
        if let root = parts.lastIndex(of: "Scenarios"), root < parts.count - 1 {
            parts.removeSubrange((root + 1)...)
            folders.append("/" + (parts + [ScenarioFiles.networks]).joined(separator: "/"))
        }
        return folders
    }

    private static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    /// Returns the error for a name that is not in the catalogue.
    func unknown(_ name: String) -> String {
        "unknown network `\(name.shortened)`\(Spelling.hint(for: name, among: networks.map(\.name)))"
    }
}

package enum NetworkSelectionError: Error, CustomStringConvertible {
    /// A name that is not in the catalogue, as a sentence with the nearest one.
    case unknown(String)
    case file(ScenarioErrors)

    package var description: String {
        switch self {
        case .unknown(let sentence): "--network: \(sentence)"
        case .file(let errors): errors.description
        }
    }
}

/// The networks on which scenarios run that do not fix their own.
package struct NetworkSelection: Sendable {
    package var catalogue: NetworkCatalogue
    package var networks: [NamedNetwork] = []
    /// True if every scenario also runs as it is written.
    package var includesOwn = true

    /// Every scenario as it is written.
    package static let asWritten = NetworkSelection(catalogue: .builtIn)

    package init(catalogue: NetworkCatalogue) { self.catalogue = catalogue }

    /// Selects by names, paths of files, `all` and `own`; several may stand in one text, with commas. No text selects
    /// the scenarios as they are written.
    package init(_ texts: [String], catalogue: NetworkCatalogue) throws(NetworkSelectionError) {
        self.init(catalogue: catalogue)
        guard !texts.isEmpty else { return }
        includesOwn = false
        for word in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }).map(String.init) {
            switch word {
            case "all": for network in self.catalogue.networks where network.interrupts == nil { include(network) }
            case "own": includesOwn = true
            default:
                if word.contains("/") || word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
                    do throws(ScenarioErrors) {
                        include(try self.catalogue.add(file: word))
                    } catch {
                        throw .file(error)
                    }
                } else if let network = self.catalogue.named(word) {
                    include(network)
                } else {
                    throw .unknown(self.catalogue.unknown(word))
                }
            }
        }
    }

    private mutating func include(_ network: NamedNetwork) {
        if !networks.contains(where: { $0.name == network.name }) { networks.append(network) }
    }
}
