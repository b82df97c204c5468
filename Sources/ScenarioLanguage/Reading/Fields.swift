/// A mapping of a scenario file, already checked against its shape.
///
/// The getters return nil for an absent key; a present one has the type of its shape.
package struct Fields: Hashable, Sendable {
    /// The start of the mapping.
    package var place: Place
    package var entries: [Entry]
    /// False when a required key is missing or an unknown one was refused.
    var isComplete = true

    package struct Entry: Hashable, Sendable {
        package var name: String
        /// The position of the key.
        package var place: Place
        package var value: Value
        package init(name: String, place: Place, value: Value) {
            self.name = name
            self.place = place
            self.value = value
        }
    }

    package init(place: Place, entries: [Entry]) {
        self.place = place
        self.entries = entries
    }

    /// Creates the fields of a check written as a bare scalar or list: one field called `value`.
    package init(bare value: Value) {
        self.init(place: value.place, entries: [Entry(name: "value", place: value.place, value: value)])
    }

    package func has(_ name: String) -> Bool { value(name) != nil }
    /// Returns the position of the field's value, or of the mapping if the field is absent.
    package func place(of name: String) -> Place { value(name)?.place ?? place }
    package func value(_ name: String) -> Value? { entries.first { $0.name == name }?.value }

    /// Returns a text or a word.
    package func text(_ name: String) -> String? { value(name)?.text }
    package func boolean(_ name: String) -> Bool? { value(name)?.boolean }
    package func integer(_ name: String) -> Int64? { value(name)?.integer }
    /// Returns a count, index or code that the shape has already bounded.
    package func int(_ name: String) -> Int? { value(name)?.int }
    package func duration(_ name: String) -> Duration? { value(name)?.duration }
    package func bitRate(_ name: String) -> BitRate? { value(name)?.bitRate }
    package func byteCount(_ name: String) -> ByteCount? { value(name)?.byteCount }
    package func probability(_ name: String) -> Probability? { value(name)?.probability }
    /// Returns one or more texts; none if the field is absent.
    package func texts(_ name: String) -> [String] { value(name)?.elements.compactMap(\.text) ?? [] }
    package func fields(_ name: String) -> Fields? { value(name)?.fields }
    package func list(_ name: String) -> [Fields] { value(name)?.elements.compactMap(\.fields) ?? [] }
    /// Returns the entries of a mapping whose keys the author chooses, in file order; `place` is the key's.
    package func pairs(_ name: String) -> [(key: String, value: Value, place: Place)] {
        fields(name)?.entries.map { (key: $0.name, value: $0.value, place: $0.place) } ?? []
    }

    package func error(_ name: String, _ message: String) -> ScenarioError {
        ScenarioError(at: place(of: name), message)
    }
}
