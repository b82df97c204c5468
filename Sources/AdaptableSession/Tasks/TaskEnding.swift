import Foundation
import FoundationNetworking

/// The receiver of a task's result.
enum TaskEnding: Sendable {
    case delegate
    case data(@Sendable (Data?, URLResponse?, (any Error)?) -> Void)
    case file(@Sendable (URL?, URLResponse?, (any Error)?) -> Void)

    /// True when the delegate receives the response, the data or the file, and the completion (CONV-05).
    var isDelegate: Bool {
        switch self {
        case .delegate: true
        case .data, .file: false
        }
    }
}
