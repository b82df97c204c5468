/// A class of the adapter that loads requests in place of the implementation (`URLProtocol` and similar).
package struct ProtocolClass: Hashable, Sendable {
    package enum Response: Hashable, Sendable {
        /// The same response for every request, without a connection.
        case canned(status: Int, headers: [HeaderField], body: [UInt8])
        /// The response that a task of another session, without this class, loads from this URL (PROT-05).
        case forwarded(to: String)
    }

    /// The URL scheme of the requests it takes, case-insensitive; nil means any scheme.
    package var scheme: String?
    /// The host of the requests it takes; nil means any host.
    package var host: String?
    package var response: Response
    /// True if it is registered with the process and is not in the session's list (PROT-06).
    package var isRegistered: Bool

    package init(scheme: String? = nil, host: String? = nil, response: Response, isRegistered: Bool = false) {
        self.scheme = scheme
        self.host = host
        self.response = response
        self.isRegistered = isRegistered
    }
}
