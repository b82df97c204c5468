/// Gives a scenario file one layout without changing its values or comments.
///
/// It works on lines, because a YAML writer would lose comments, quotes and the choice between one line and several.
/// After each rule the file must still have the same content; a rule that would change it is left out.
package enum ScenarioFormatter {
    /// Returns the formatted text, or throws if the file is not YAML.
    package static func format(file: String, text: String) throws(ScenarioError) -> String {
        let content = Self.content(try Document(file: file, text: text).root)
        func keepsContent(_ changed: String) -> Bool {
            guard let document = try? Document(file: file, text: changed) else { return false }
            return Self.content(document.root) == content
        }
        var result = text
        for rule in [ends, spaces, ordered] {
            let changed = rule(result)
            if changed != result, keepsContent(changed) { result = changed }
        }
        return result
    }

    /// The top-level keys in their order; those of one row keep the order that the author chose.
    static let order: [[String]] = [
        ["scenario"], ["proves"], ["cites"], ["report"], ["tags"], ["needs", "dependsOn"], ["timeout"],
        ["requestBudget"], ["networks"], ["excludes"], ["parameters"],
        ["network", "dns", "proxies", "origin", "session", "sessions"], ["steps", "timeline"], ["expect"],
    ]

    // MARK: - Rules

    /// Removes blanks at line ends and additional empty lines, and ends the file with one line end.
    private static func ends(_ text: String) -> String {
        var lines: [String] = []
        for (line, isVerbatim) in Self.lines(of: text.replacing("\r\n", with: "\n")) {
            let trimmed = isVerbatim ? line : trimmedEnd(line)
            if trimmed.isEmpty, !isVerbatim, lines.last.map(\.isEmpty) ?? true { continue }
            lines.append(trimmed)
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Writes `{ a: b }`, `[a, b]` and `{}`.
    private static func spaces(_ text: String) -> String {
        var scanner = FlowScanner()
        return Self.lines(of: text).map { $0.isVerbatim ? $0.line : scanner.spaced($0.line) }.joined(separator: "\n")
    }

    /// Sorts the top-level keys, each with the comments above it. Comments above the first key stay at the start.
    private static func ordered(_ text: String) -> String {
        var head: [String] = []
        var blocks: [(key: String, lines: [String])] = []
        var waiting: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if let match = line.prefixMatch(of: #/([A-Za-z]+):( |$)/#) {
                if blocks.isEmpty { head = waiting }
                blocks.append((String(match.1), (blocks.isEmpty ? [] : waiting) + [line]))
                waiting = []
            } else if line.isEmpty || line.hasPrefix("#") {
                waiting.append(line)
            } else {
                guard !blocks.isEmpty, line.hasPrefix(" ") || line.hasPrefix("- ") else { return text }
                blocks[blocks.count - 1].lines += waiting + [line]
                waiting = []
            }
        }
        let sorted = blocks.enumerated().sorted {
            (rank($0.element.key), $0.offset) < (rank($1.element.key), $1.offset)
        }
        return (head + sorted.flatMap(\.element.lines) + waiting).joined(separator: "\n")
    }

    private static func rank(_ key: String) -> Int { order.firstIndex { $0.contains(key) } ?? order.count }

    // MARK: - Lines

    /// Returns the lines; those of block scalars (`|` and `>`) must stay as they are.
    private static func lines(of text: String) -> [(line: String, isVerbatim: Bool)] {
        var indentation: Int?
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { part in
            let line = String(part)
            let own = line.prefix { $0 == " " }.count
            if let limit = indentation {
                if trimmedEnd(line).isEmpty || own > limit { return (line, true) }
                indentation = nil
            }
            if line.contains(#/(?:: |- )[|>][-+0-9]*\s*(?:#.*)?$/#) { indentation = own }
            return (line, false)
        }
    }

    fileprivate static func trimmedEnd(_ line: String) -> String {
        var line = line
        while let last = line.last, last == " " || last == "\t" || last == "\r" { line.removeLast() }
        return line
    }

    /// The values of a file without places and styles, with the top-level keys in one order.
    private static func content(_ node: Document.Node) -> [String] {
        guard case .mapping(let pairs, _) = node else { return [description(node)] }
        return pairs.map { "\(description($0.key)): \(description($0.value))" }.sorted()
    }

    private static func description(_ node: Document.Node) -> String {
        switch node {
        case .scalar(let text, let isPlain, _): "\(isPlain ? "plain" : "quoted") \(text.debugDescription)"
        case .list(let nodes, _): "[" + nodes.map(description).joined(separator: ", ") + "]"
        case .mapping(let pairs, _):
            "{" + pairs.map { "\(description($0.key)): \(description($0.value))" }.joined(separator: ", ") + "}"
        }
    }
}

/// Sets the spaces of mappings and lists in flow style, line by line.
private struct FlowScanner {
    /// The open brackets, which may continue on the next line.
    private var depth = 0
    private var quote: Character?

    mutating func spaced(_ line: String) -> String {
        let characters = Array(line)
        var out = ""
        var index = 0
        while index < characters.count {
            let character = characters[index]
            if let open = quote {
                out.append(character)
                if character == "\\", open == "\"", index + 1 < characters.count {
                    index += 1
                    out.append(characters[index])
                } else if character == open {
                    // In single quotes, two of them are one.
                    if open == "'", index + 1 < characters.count, characters[index + 1] == open {
                        index += 1
                        out.append(open)
                    } else {
                        quote = nil
                    }
                }
                index += 1
                continue
            }
            if character == "#", out.isEmpty || out.last == " " {
                out += String(characters[index...])
                return out
            }
            if character == "'" || character == "\"", startsToken(out) {
                quote = character
                out.append(character)
                index += 1
            } else if character == "{" || character == "[", depth > 0 || startsToken(out) {
                depth += 1
                index = open(character, characters, index, &out)
            } else if character == "}" || character == "]", depth > 0 {
                depth -= 1
                close(character, &out)
                index += 1
            } else if character == ",", depth > 0 {
                index = comma(characters, index, &out)
            } else {
                out.append(character)
                index += 1
            }
        }
        return out
    }

    /// Returns true if a value or key can begin after this text.
    private func startsToken(_ text: String) -> Bool {
        guard let last = text.last(where: { $0 != " " }) else { return true }
        if depth > 0, "{[,".contains(last) { return true }
        return text.last == " " && (last == ":" || last == "-" || (depth > 0 && last == ","))
    }

    private func open(_ bracket: Character, _ characters: [Character], _ index: Int, _ out: inout String) -> Int {
        out.append(bracket)
        let next = skipBlanks(characters, index + 1)
        guard next < characters.count, characters[next] != "#" else { return index + 1 }
        if bracket == "{", characters[next] != "}" { out.append(" ") }
        return next
    }

    private func close(_ bracket: Character, _ out: inout String) {
        // A bracket at the start of a line keeps its indentation.
        guard out.contains(where: { $0 != " " }) else { return out.append(bracket) }
        out = ScenarioFormatter.trimmedEnd(out)
        if bracket == "}", out.last != "{" { out.append(" ") }
        out.append(bracket)
    }

    private func comma(_ characters: [Character], _ index: Int, _ out: inout String) -> Int {
        if out.contains(where: { $0 != " " }) { out = ScenarioFormatter.trimmedEnd(out) }
        out.append(",")
        let next = skipBlanks(characters, index + 1)
        guard next < characters.count, characters[next] != "#" else { return index + 1 }
        out.append(" ")
        return next
    }

    private func skipBlanks(_ characters: [Character], _ index: Int) -> Int {
        characters[index...].firstIndex { $0 != " " } ?? characters.count
    }
}
