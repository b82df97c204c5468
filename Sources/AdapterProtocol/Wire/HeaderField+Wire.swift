extension HeaderField: JSONConvertible {
    package var json: JSONValue { .list([.text(name), .text(value)]) }
}

extension JSONObject {
    package mutating func set(_ name: String, headers: [HeaderField]) { set(name, headers) }
}

extension JSONFields {
    /// Returns headers in the form `[["Name", "value"], …]`: order and repeats matter, so they are not an object.
    package func headers(_ name: String) throws(Failure) -> [HeaderField] {
        try items(name, "list of [name, value] pairs") { item in
            guard let pair = item.list, pair.count == 2, let key = pair[0].text, let value = pair[1].text else {
                return nil
            }
            return HeaderField(key, value)
        }
    }
}
