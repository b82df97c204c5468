/// A class of the adapter's own that loads requests in place of the implementation (`URLProtocol` and its like).
package struct ProtocolClass: Hashable, Sendable {
    package enum Response: Hashable, Sendable {
        /// The same for every request, without a connection.
        case canned(status: Int, headers: [HeaderField], body: [UInt8])
        /// What a task of another session, which knows no such class, brings from this URL (PROT-05).
        case forwarded(to: String)
    }

    /// It takes the requests whose URL has this scheme, in any case of letters; nil: whatever the scheme.
    package var scheme: String?
    /// And this host; nil: whatever the host.
    package var host: String?
    package var response: Response
    /// It stands in the list of the process, not in the session's (PROT-06).
    package var isRegistered: Bool

    package init(scheme: String? = nil, host: String? = nil, response: Response, isRegistered: Bool = false) {
        self.scheme = scheme
        self.host = host
        self.response = response
        self.isRegistered = isRegistered
    }
}
