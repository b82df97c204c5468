/// A kind of object that one of its keys selects, declared once: its keys and the function that reads it.
struct Form<Reader, Product>: Sendable {
    /// Keys that exclude each other; one of them selects this kind.
    let keys: [Field]
    /// The keys that are allowed beside it.
    let beside: [Field]
    let read: @Sendable (inout Reader, Fields) -> Product?

    init(_ keys: [Field], beside: [Field] = [], read: @escaping @Sendable (inout Reader, Fields) -> Product?) {
        self.keys = keys
        self.beside = beside
        self.read = read
    }

    init(
        _ key: String, takes value: Shape = .text, _ summary: String, beside: [Field] = [],
        read: @escaping @Sendable (inout Reader, Fields) -> Product?
    ) {
        self.init([Field(key, value, summary)], beside: beside, read: read)
    }
}

extension Array {
    func shape<Reader, Product>() -> Shape where Element == Form<Reader, Product> {
        .either(map { .choice($0.keys, beside: $0.beside) })
    }

    /// Returns the form of an object that `shape` accepted.
    func form<Reader, Product>(of fields: Fields) -> Form<Reader, Product>? where Element == Form<Reader, Product> {
        let names = fields.entries.map(\.name)
        return first { form in
            let keys = form.keys.map(\.name)
            let known = keys + form.beside.map(\.name)
            return names.contains(where: keys.contains) && names.allSatisfy(known.contains)
        }
    }
}
