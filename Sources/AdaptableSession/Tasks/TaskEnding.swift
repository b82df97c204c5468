import Foundation
import FoundationNetworking

/// Who hears how a task ended.
enum TaskEnding: Sendable {
    case delegate
    case data(@Sendable (Data?, URLResponse?, (any Error)?) -> Void)
    case file(@Sendable (URL?, URLResponse?, (any Error)?) -> Void)

    /// The response, the data or the file, and the end are the delegate's (CONV-05).
    var isDelegate: Bool {
        switch self {
        case .delegate: true
        case .data, .file: false
        }
    }
}
