import Yams

/// Reduces a scenario step by step: each proposal leaves something out or makes a number smaller, and stays if the
/// smaller scenario still fails in the same way. A value without processes; the caller runs the proposals.
package struct Shrinker {
    private enum Step: Hashable {
        case key(String)
        case index(Int)
    }

    private enum Edit: Hashable {
        case removeItems([Step], Range<Int>)
        case removeKey([Step], String)
        case replace([Step], with: String)
    }

    /// The keys without which a file is not a scenario.
    private static let required: Set<String> = ["scenario", "proves", "steps", "expect"]

    private var tree: ScenarioTree
    private var edits: [Edit]
    private var position = 0
    /// True if a proposal of the present pass was accepted, so that another pass may find more.
    private var hasImproved = false
    private var proposed: ScenarioTree?
    /// The texts that were tried, because different edits can have the same result.
    private var tried: Set<String> = []

    package init(text: String) throws(SweepError) {
        tree = try ScenarioTree(text: text)
        edits = Shrinker.edits(of: tree.root)
        tried = [try tree.text]
    }

    /// The smallest scenario so far.
    package var text: String { get throws(SweepError) { try tree.text } }

    /// Returns the next proposal; nil when nothing can be left out any more. `accept` or `next` follows.
    package mutating func next() throws(SweepError) -> String? {
        while true {
            if position >= edits.count {
                guard hasImproved else { return nil }
                hasImproved = false
                position = 0
                edits = Shrinker.edits(of: tree.root)
                continue
            }
            let changed = ScenarioTree(root: Shrinker.apply(edits[position], to: tree.root))
            position += 1
            let text = try changed.text
            guard tried.insert(text).inserted else { continue }
            proposed = changed
            return text
        }
    }

    /// Keeps the last proposal.
    package mutating func accept() {
        guard let proposed else { return }
        tree = proposed
        self.proposed = nil
        hasImproved = true
        // The edit after the accepted one has moved to its place.
        position = max(0, position - 1)
        edits = Shrinker.edits(of: tree.root)
    }

    // MARK: - Edits

    /// Returns the edits of a tree, the largest reductions first.
    private static func edits(of root: Node) -> [Edit] {
        var lists: [Edit] = []
        var keys: [Edit] = []
        var numbers: [Edit] = []
        visit(root, []) { node, path in
            switch node {
            case .sequence(let sequence):
                var size = sequence.count
                while size >= 1 {
                    for start in stride(from: 0, to: sequence.count, by: size) {
                        lists.append(.removeItems(path, start..<min(start + size, sequence.count)))
                    }
                    size /= 2
                }
            case .mapping(let mapping):
                for (key, _) in mapping {
                    guard let name = key.string, !(path.isEmpty && required.contains(name)) else { continue }
                    keys.append(.removeKey(path, name))
                }
            case .scalar(let scalar):
                // Not the expected values, which would change what fails.
                guard path.first != .key("expect") else { return }
                for smaller in smaller(than: scalar.string) { numbers.append(.replace(path, with: smaller)) }
            case .alias: break
            }
        }
        return lists + keys + numbers
    }

    private static func visit(_ node: Node, _ path: [Step], _ body: (Node, [Step]) -> Void) {
        body(node, path)
        switch node {
        case .sequence(let sequence):
            for (index, element) in sequence.enumerated() { visit(element, path + [.index(index)], body) }
        case .mapping(let mapping):
            for (key, value) in mapping { visit(value, path + [.key(key.string ?? "")], body) }
        case .scalar, .alias: break
        }
    }

    /// Returns smaller values for a number with or without a unit: its least value and its half.
    private static func smaller(than text: String) -> [String] {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count)
        guard let number = Int64(digits), number > 1, unit.allSatisfy(\.isLetter), unit != "ms", unit != "s" else {
            return []
        }
        // A kibibyte can only become smaller in bytes.
        return number > 3 ? ["1\(unit)", "\(number / 2)\(unit)"] : ["1\(unit)"]
    }

    private static func apply(_ edit: Edit, to root: Node) -> Node {
        switch edit {
        case .removeItems(let path, let range):
            change(root, path[...]) { node in
                guard case .sequence(let sequence) = node else { return node }
                let kept = sequence.enumerated().filter { !range.contains($0.offset) }.map(\.element)
                return .sequence(Node.Sequence(kept, sequence.tag, sequence.style))
            }
        case .removeKey(let path, let key):
            change(root, path[...]) { node in
                guard case .mapping(var mapping) = node else { return node }
                mapping[Node(key)] = nil
                return .mapping(mapping)
            }
        case .replace(let path, let text): change(root, path[...]) { _ in Node(text) }
        }
    }

    private static func change(_ node: Node, _ path: ArraySlice<Step>, _ body: (Node) -> Node) -> Node {
        switch (path.first, node) {
        case (nil, _): return body(node)
        case (.key(let key), .mapping(var mapping)):
            if let value = mapping[Node(key)] { mapping[Node(key)] = change(value, path.dropFirst(), body) }
            return .mapping(mapping)
        case (.index(let index), .sequence(var sequence)):
            guard sequence.indices.contains(index) else { return node }
            sequence[index] = change(sequence[index], path.dropFirst(), body)
            return .sequence(sequence)
        default: return node
        }
    }
}
