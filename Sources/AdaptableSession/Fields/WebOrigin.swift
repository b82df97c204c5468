package import Foundation

/// Scheme, host and port: the border that credentials do not cross (RFC 9110 §4.3.1).
package struct WebOrigin: Hashable, Sendable {
    package let scheme: String
    /// Lower-case, without the final dot or the brackets of an IPv6 address.
    package let host: String
    package let port: Int

    /// nil for a URL without host or of a scheme other than http and https.
    package init?(_ url: URL) {
        guard let scheme = url.scheme.map({ FieldText.lowercased($0) }), scheme == "http" || scheme == "https",
            let host = url.host(percentEncoded: false).map(WebOrigin.canonical), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    package var isSecure: Bool { scheme == "https" }

    package static func canonical(_ host: String) -> String {
        var host = FieldText.lowercased(host)
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.hasSuffix("."), host.utf8.count > 1 { host.removeLast() }
        return host
    }
}
