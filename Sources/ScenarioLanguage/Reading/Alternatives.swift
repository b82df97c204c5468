/// The ways to write a value of a closed set: a word, or a key with details.
struct Alternatives<Product: Sendable>: Sendable {
    struct Word: Sendable {
        let word: String
        let product: Product
        let meaning: String
        init(_ word: String, _ product: Product, _ meaning: String) {
            self.word = word
            self.product = product
            self.meaning = meaning
        }
    }

    struct Key: Sendable {
        let field: Field
        let read: @Sendable (Value, inout Findings) -> Product?
        init(
            _ name: String, _ shape: Shape, _ summary: String,
            read: @escaping @Sendable (Value, inout Findings) -> Product?
        ) {
            field = Field(name, shape, summary)
            self.read = read
        }
    }

    let words: [Word]
    let keys: [Key]
    /// Keys that are allowed beside it.
    var beside: [Field] = []

    var shape: Shape { .either([.word(words.map(\.word)), .choice(keys.map(\.field), beside: beside)]) }
    /// The meanings of the words, for a summary.
    var meanings: String { words.map { "\($0.word): \($0.meaning)" }.joined(separator: "; ") }

    func read(_ name: String, of fields: Fields, _ findings: inout Findings) -> Product? {
        if let word = fields.text(name) { return words.first { $0.word == word }?.product }
        guard let details = fields.fields(name), let key = keys.first(where: { details.has($0.field.name) }) else {
            return nil
        }
        return details.value(key.field.name).flatMap { key.read($0, &findings) }
    }
}
