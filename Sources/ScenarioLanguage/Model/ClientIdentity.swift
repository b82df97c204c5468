/// A client certificate that the harness creates for a scenario; its files are in the adapter's private folder.
package enum ClientIdentity: String, CaseIterable, Hashable, Sendable {
    /// Signed by the lab's certificate authority, which the origin trusts.
    case known
    /// Signed by an authority that the origin does not know.
    case unknown

    /// File names in the adapter's folder.
    package var chainFile: String { "client-\(rawValue).pem" }
    package var keyFile: String { "client-\(rawValue).key" }
}
