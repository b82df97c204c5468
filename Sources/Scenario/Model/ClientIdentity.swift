/// A certificate of the client's own that the harness makes for a scenario; its files stand in the adapter's private folder.
package enum ClientIdentity: String, CaseIterable, Hashable, Sendable {
    /// Signed by the lab's authority, which the origin asks for.
    case known
    /// Signed by an authority that nobody knows.
    case unknown

    /// Names in the adapter's folder.
    package var chainFile: String { "client-\(rawValue).pem" }
    package var keyFile: String { "client-\(rawValue).key" }
}
