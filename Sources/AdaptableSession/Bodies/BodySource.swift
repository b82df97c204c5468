import Foundation

/// The source of a request's body.
enum BodySource: Sendable {
    case none
    case memory(Data)
    case file(URL)
    /// The bytes of a file at these offsets.
    case filePart(URL, Range<Int64>)
    /// A stream, which the delegate supplies each time that the body is sent (UPLD-03).
    case stream

    /// True if the session can send the body again without calling the delegate (UPLD-09).
    var canRewind: Bool {
        switch self {
        case .none, .memory, .file, .filePart: true
        case .stream: false
        }
    }
}
