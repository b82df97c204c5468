package import FoundationNetworking
import HTTPFields

/// The properties that identify a protection space (RFC 9110 §11.5). On this platform URLProtectionSpace compares by
/// identity.
package struct ProtectionSpaceKey: Hashable, Sendable {
    package var isProxy: Bool
    package var scheme: String
    package var host: String
    package var port: Int
    package var realm: String?
    package var method: String

    package init(_ space: URLProtectionSpace) {
        isProxy = space.isProxy()
        scheme = HTTPFieldSyntax.lowercased((isProxy ? space.proxyType : space.protocol) ?? "")
        host = WebOrigin.canonical(space.host)
        port = space.port
        realm = space.realm
        method = space.authenticationMethod
    }
}
