package import AdapterProtocol

/// How a resource answers conditional requests (RFC 9110 §13).
package struct ValidationPlan: Hashable, Sendable {
    package enum Response: String, CaseIterable, Hashable, Sendable {
        case right
        /// As though there were no condition.
        case ignored
        /// 304 to every read with If-None-Match or If-Modified-Since, matching or not.
        case alwaysMatches
    }
    package var response = Response.right
    /// Fields of the 304 beside, or in place of, those of the 200.
    package var headers: [HeaderField] = []
    package init() {}
}
