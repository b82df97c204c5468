import Foundation

/// Where a request's body comes from.
enum BodySource: Sendable {
    case none
    case memory(Data)
    case file(URL)
    /// What lies at these places of a file.
    case filePart(URL, Range<Int64>)
    /// The delegate is asked for a stream each time that the body is sent (UPLD-03).
    case stream

    /// Whether the session can send the body again by itself (UPLD-09).
    var canRewind: Bool {
        switch self {
        case .none, .memory, .file, .filePart: true
        case .stream: false
        }
    }
}
