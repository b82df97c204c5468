import AdapterProtocol

/// The meaning of one word of the language: as a key, a value, an event, a profile, a network, a symptom, or a word of
/// another tool.
package struct Explanation: Sendable {
    package var reference: LanguageReference
    package var symptoms: [Symptom]

    package init(reference: LanguageReference, symptoms: [Symptom]) {
        self.reference = reference
        self.symptoms = symptoms
    }

    /// Returns the lines about the word; empty if nothing has this name.
    package func lines(of word: String) -> [String] {
        var groups = [keys(word), values(word), events(word), networks(word), reports(word)]
        if groups.allSatisfy(\.isEmpty) { groups.append(renamed(word)) }
        groups.append(others(word))
        return Array(groups.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    /// Returns up to five words that are spelt alike.
    package func near(_ word: String) -> [String] {
        var known = vocabulary
        var found: [String] = []
        while found.count < 5, let next = Spelling.nearest(to: word, among: known) {
            found.append(next)
            known.removeAll { $0 == next }
        }
        return found
    }

    /// Every word that has an explanation, once.
    private var vocabulary: [String] {
        let words = reference.entries.flatMap { [$0.field.name] + $0.field.shape.words }
        let others =
            TaskEventName.allCases.map(\.rawValue) + ProfileCatalogue.all.map(\.name)
            + NetworkCatalogue.builtIn.networks.map(\.name) + symptoms.flatMap { [$0.name] + $0.words }
        var seen: Set<String> = []
        return (words + others).filter { seen.insert($0).inserted }
    }

    private func keys(_ word: String) -> [String] {
        let wanted = word.lowercased()
        let entries = reference.entries.filter {
            [$0.field.name.lowercased(), $0.path.lowercased()].contains(wanted)
        }
        return entries.flatMap { entry in
            [
                "\(entry.path)  (\(entry.facts))", "  \(entry.field.summary)\(entry.remarks)",
                "  Example: \(entry.example)",
            ]
        }
    }

    private func values(_ word: String) -> [String] {
        let entries = reference.entries.filter { $0.field.shape.words.contains(word) }
        return entries.flatMap { ["`\(word)` is a value of \($0.path):", "  \($0.field.summary)"] }
    }

    private func events(_ word: String) -> [String] {
        let name = word.split(separator: ".").last.map(String.init) ?? word
        guard let event = TaskEventName.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
            return []
        }
        return [
            "`\(event.rawValue)` is an event of a task: `- await: first.\(event.rawValue)` waits for it,",
            "  `- never: first.\(event.rawValue)` expects that it does not happen. With a single task `\(event.rawValue)` is enough.",
        ]
    }

    private func networks(_ word: String) -> [String] {
        let name = word.lowercased()
        if let profile = ProfileCatalogue.named(name) {
            return [
                "`\(name)` is a network profile: \(profile.summary)", "  Example: network: { wifi: \(name) }",
                "  crosswind profiles \(name) draws it; crosswind run --network \(name) runs scenarios on it.",
            ]
        }
        guard let network = NetworkCatalogue.builtIn.named(name) else { return [] }
        return [
            "`\(name)` is a network: \(network.summary)", "  crosswind run --network \(name) runs scenarios on it.",
        ]
    }

    private func reports(_ word: String) -> [String] {
        let found = symptoms.filter { $0.matches(word) }.map { symptom in
            ["Symptom: \(symptom.title)", "  \(symptom.explanation)", "  Scenarios/symptoms/\(symptom.name).yaml:", ""]
                + symptom.scenario.split(separator: "\n").map { "    \($0)" }
                + ["", "  Start from it: crosswind new --symptom \(symptom.name) --out my-\(symptom.name).yaml"]
        }
        return Array(found.joined(separator: [""]))
    }

    /// Explains the words that replaced one of an earlier version.
    private func renamed(_ word: String) -> [String] {
        RenamedWords.table.filter { $0.key == word }
            .flatMap { ["`\(word)` was renamed to `\($0.value)`:"] + keys($0.value) + events($0.value) }
    }

    private func others(_ word: String) -> [String] {
        ForeignWords.advice(for: word).map { "`\(word)` is a word of other tools: \($0)" }
    }
}

extension Shape {
    /// The words among the values of this shape itself.
    fileprivate var words: [String] {
        alternatives.flatMap { shape in
            if case .list(let element) = shape { element.alternatives.flatMap(\.wordList) } else { shape.wordList }
        }
    }
}
