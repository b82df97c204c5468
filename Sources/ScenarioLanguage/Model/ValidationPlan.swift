package import AdapterProtocol

/// The responses of a resource to conditional requests (RFC 9110 §13).
package struct ValidationPlan: Hashable, Sendable {
    package enum Response: String, CaseIterable, Hashable, Sendable {
        case right
        /// As if the request were unconditional.
        case ignored
        /// 304 to every GET or HEAD with If-None-Match or If-Modified-Since, matching or not.
        case alwaysMatches
    }
    package var response = Response.right
    /// Fields of the 304 that extend or replace those of the 200.
    package var headers: [HeaderField] = []
    package init() {}
}
