import Yams

/// The YAML of a scenario as a tree that can be changed and written again: each case of a sweep is a file that the
/// ordinary reader accepts and that `crosswind run` repeats.
struct ScenarioTree {
    private(set) var root: Node

    /// Reads YAML that the scenario reader has accepted.
    init(text: String) throws(SweepError) {
        do {
            // Scalars stay text; the reader of scenarios decides about their types.
            guard let node = try Yams.compose(yaml: text, .basic) else {
                throw SweepError.unusable("the file is empty")
            }
            root = node
        } catch {
            throw .unusable("\(error)")
        }
    }

    init(root: Node) { self.root = root }

    var text: String {
        get throws(SweepError) {
            do { return try Yams.serialize(node: root, width: 120, allowUnicode: true) } catch {
                throw .unusable("the case cannot be written: \(error)")
            }
        }
    }

    /// The value below these keys of mappings; setting a value adds the keys that are missing, and nil removes the last one.
    subscript(_ path: String...) -> Node? {
        get { path.reduce(root) { $0?.mapping?[$1] } }
        set { root = Self.set(newValue, at: path[...], in: root) }
    }

    private static func set(_ value: Node?, at path: ArraySlice<String>, in node: Node?) -> Node {
        guard let key = path.first else { return value ?? .list([]) }
        var mapping = node?.mapping ?? Node.Mapping([])
        if path.count == 1 {
            mapping[Node(key)] = value
        } else {
            mapping[Node(key)] = set(value, at: path.dropFirst(), in: mapping[Node(key)])
        }
        return .mapping(mapping)
    }

    /// Appends an entry to the list below these keys, which may be missing.
    mutating func append(_ entry: Node, to path: String...) {
        let list = path.reduce(root) { $0?.mapping?[$1] }
        var sequence = list?.sequence ?? Node.Sequence([])
        sequence.append(entry)
        root = Self.set(.sequence(sequence), at: path[...], in: root)
    }

    /// Inserts an entry at the start of the list below these keys.
    mutating func prepend(_ entry: Node, to path: String...) {
        let list = path.reduce(root) { $0?.mapping?[$1] }
        let sequence = list?.sequence.map(Array.init) ?? []
        root = Self.set(.sequence(Node.Sequence([entry] + sequence)), at: path[...], in: root)
    }
}

extension Node {
    /// Makes a mapping that is written on one line: `{ at: accept, do: reset }`.
    static func flow(_ pairs: KeyValuePairs<String, Node>) -> Node {
        Node(pairs.map { (Node($0.key), $0.value) }, .implicit, .flow)
    }

    static func flow(_ pairs: [(String, Node)]) -> Node {
        Node(pairs.map { (Node($0.0), $0.1) }, .implicit, .flow)
    }

    static func list(_ elements: [Node]) -> Node { Node(elements, .implicit, .flow) }

    static func number(_ number: some BinaryInteger) -> Node { Node("\(number)") }
}
