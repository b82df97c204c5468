/// A value of a scenario file read according to its `Shape`, with its position for messages.
package indirect enum Value: Hashable, Sendable {
    case text(String, Place)
    case boolean(Bool, Place)
    case integer(Int64, Place)
    case duration(Duration, Place)
    case bitRate(BitRate, Place)
    case byteCount(ByteCount, Place)
    case probability(Probability, Place)
    case list([Value], Place)
    /// An object or a choice, or a mapping whose keys the author chose.
    case mapping(Fields)
    /// A refused value; it is kept so that its key counts as given and is not also reported as missing.
    case refused(Place)

    package var place: Place {
        switch self {
        case .text(_, let place), .boolean(_, let place), .integer(_, let place), .duration(_, let place),
            .bitRate(_, let place), .byteCount(_, let place), .probability(_, let place), .list(_, let place),
            .refused(let place):
            place
        case .mapping(let fields): fields.place
        }
    }

    package var text: String? { if case .text(let value, _) = self { value } else { nil } }
    package var boolean: Bool? { if case .boolean(let value, _) = self { value } else { nil } }
    package var integer: Int64? { if case .integer(let value, _) = self { value } else { nil } }
    /// A count, index or code that the shape has already bounded.
    package var int: Int? { integer.map { Int(clamping: $0) } }
    package var duration: Duration? { if case .duration(let value, _) = self { value } else { nil } }
    package var bitRate: BitRate? { if case .bitRate(let value, _) = self { value } else { nil } }
    package var byteCount: ByteCount? { if case .byteCount(let value, _) = self { value } else { nil } }
    package var probability: Probability? { if case .probability(let value, _) = self { value } else { nil } }
    package var fields: Fields? { if case .mapping(let fields) = self { fields } else { nil } }

    /// The elements of a list; a single value counts as a list of one.
    package var elements: [Value] {
        switch self {
        case .list(let values, _): values
        case .refused: []
        case .text, .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .mapping: [self]
        }
    }

    /// True if no value inside was refused, so that the value can be passed to code that relies on its shape.
    var isWhole: Bool {
        switch self {
        case .refused: false
        case .list(let values, _): values.allSatisfy(\.isWhole)
        case .mapping(let fields): fields.isComplete && fields.entries.allSatisfy(\.value.isWhole)
        case .text, .boolean, .integer, .duration, .bitRate, .byteCount, .probability: true
        }
    }
}
