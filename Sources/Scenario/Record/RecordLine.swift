import AdapterProtocol

/// The version of the record's lines; the first line of a record carries it.
package enum RecordVersion {
    package static let number: Int64 = 2
}

/// The reason that a line of a record cannot be read.
package enum RecordError: Error, Hashable, CustomStringConvertible {
    case notJSON(excerpt: String)
    case wrongVersion(found: String)
    case missing(String, in: String)

    package var description: String {
        switch self {
        case .notJSON(let excerpt): "no JSON object: \(excerpt)"
        case .wrongVersion(let found): "record version \(found), this program reads \(RecordVersion.number)"
        case .missing(let field, let kind): "'\(kind)' without a usable '\(field)'"
        }
    }
}

/// The fields of one record line that is being read.
struct RecordFields {
    let kind: String
    let values: [String: JSONValue]

    func has(_ name: String) -> Bool { values[name] != nil }
    func text(_ name: String) throws(RecordError) -> String {
        guard let value = values[name]?.text else { throw .missing(name, in: kind) }
        return value
    }
    func integer(_ name: String) throws(RecordError) -> Int64 {
        guard let value = values[name]?.integer else { throw .missing(name, in: kind) }
        return value
    }
    func int(_ name: String) throws(RecordError) -> Int {
        guard let value = Int(exactly: try integer(name)) else { throw .missing(name, in: kind) }
        return value
    }
    func unsigned(_ name: String) throws(RecordError) -> UInt64 {
        guard let value = UInt64(exactly: try integer(name)) else { throw .missing(name, in: kind) }
        return value
    }
    func texts(_ name: String) throws(RecordError) -> [String] {
        var texts: [String] = []
        for item in try list(name) {
            guard let text = item.text else { throw .missing(name, in: kind) }
            texts.append(text)
        }
        return texts
    }
    func word<Word: RawRepresentable>(_ name: String, _: Word.Type) throws(RecordError) -> Word
    where Word.RawValue == String {
        guard let word = Word(rawValue: try text(name)) else { throw .missing(name, in: kind) }
        return word
    }
    func headers(_ name: String) throws(RecordError) -> [HeaderField] {
        var headers: [HeaderField] = []
        for item in try list(name) {
            guard let pair = item.list, pair.count == 2, let key = pair[0].text, let value = pair[1].text else {
                throw .missing(name, in: kind)
            }
            headers.append(HeaderField(key, value))
        }
        return headers
    }
    func optional<Value>(_ name: String, _ read: (String) throws(RecordError) -> Value) throws(RecordError) -> Value? {
        has(name) ? try read(name) : nil
    }
    func list(_ name: String) throws(RecordError) -> [JSONValue] {
        guard let list = values[name]?.list else { throw .missing(name, in: kind) }
        return list
    }
}

/// The fields of one record line that is being written; nil values are omitted.
struct RecordObject {
    private(set) var values: [String: JSONValue] = [:]

    init(_ kind: String) { values["fact"] = .text(kind) }

    func with(_ name: String, _ value: String?) -> RecordObject { with(name, value.map { .text($0) }) }
    func with(_ name: String, _ value: Int64?) -> RecordObject { with(name, value.map { .integer($0) }) }
    func with(_ name: String, _ value: Int?) -> RecordObject { with(name, value.map { .integer(Int64($0)) }) }
    func with(_ name: String, _ value: UInt64?) -> RecordObject {
        with(name, value.map { .integer(Int64(clamping: $0)) })
    }
    func with(_ name: String, _ value: [String]) -> RecordObject { with(name, .list(value.map { .text($0) })) }
    func with(_ name: String, _ value: [HeaderField]) -> RecordObject {
        with(name, .list(value.map { .list([.text($0.name), .text($0.value)]) }))
    }
    func with(_ name: String, _ value: JSONValue?) -> RecordObject {
        guard let value else { return self }
        var copy = self
        copy.values[name] = value
        return copy
    }
}
