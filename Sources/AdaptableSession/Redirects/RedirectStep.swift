package import Foundation
package import FoundationNetworking

/// The request that a redirect proposes.
package struct RedirectStep: Equatable, Sendable {
    /// The new request, without the fields that a session generates for each hop (Cookie from its storage,
    /// Authorization from its credentials); these are generated for the new URL. It keeps its body if `sendsBody` is
    /// true.
    package var request: URLRequest
    /// True when the task's body is sent again from its first byte; a stream body requires a new stream
    /// (`needNewBodyStream`).
    package var sendsBody: Bool
    package var crossesOrigin: Bool
    /// The lower-case names of fields that the session's `httpAdditionalHeaders` must not add again in this task.
    package var withheldFields: Set<String>
}

/// The handling of a response that may be a redirect.
package enum RedirectVerdict: Sendable {
    /// The response is the result.
    case deliver
    /// The redirect is proposed to the delegate and followed if the delegate accepts it.
    case propose(RedirectStep)
    case fail(URLError.Code, reason: String)
}
