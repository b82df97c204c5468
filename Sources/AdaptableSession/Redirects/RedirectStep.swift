package import Foundation
package import FoundationNetworking

/// The request that a redirect proposes.
package struct RedirectStep: Sendable {
    /// Without the fields that a session makes for each hop (Cookie of its storage, Authorization of its credentials): those are to be
    /// made for this URL. Keeps its body where `sendsBody` says so.
    package var request: URLRequest
    /// The body of the task goes again, from its first byte: for a stream that means a new one (`needNewBodyStream`).
    package var sendsBody: Bool
    package var crossesOrigin: Bool
    /// Lower-case names that the session's own `httpAdditionalHeaders` must not bring back in this task.
    package var withheldFields: Set<String>
}

/// What becomes of a response that may be a redirect.
package enum RedirectVerdict: Sendable {
    /// The response is the result.
    case deliver
    /// Offered to the delegate, and followed if it says so.
    case propose(RedirectStep)
    case fail(URLError.Code, reason: String)
}
