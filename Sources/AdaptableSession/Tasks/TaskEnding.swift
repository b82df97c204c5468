import Foundation
import FoundationNetworking

/// Who hears how a task ended.
enum TaskEnding: Sendable {
    case delegate
    case data(@Sendable (Data?, URLResponse?, (any Error)?) -> Void)
    case file(@Sendable (URL?, URLResponse?, (any Error)?) -> Void)

    /// A handler task tells the delegate of challenges and of waiting only (CONV-05, CONV-06, CONV-07).
    var isDelegate: Bool {
        switch self {
        case .delegate: true
        case .data, .file: false
        }
    }
}
