package import Foundation
import HTTPFields
import InternetAddresses

/// Scheme, host and port: credentials of one origin are not sent to another (RFC 9110 §4.3.1).
package struct WebOrigin: Hashable, Sendable {
    package let scheme: String
    /// The host in lower case, without the final dot and without the brackets of an IPv6 address.
    package let host: String
    package let port: Int

    /// Returns nil for a URL whose host is missing or invalid, whose port is above 65535, or whose scheme is neither
    /// http nor https.
    package init?(_ url: URL) {
        guard let scheme = url.scheme.map({ HTTPFieldSyntax.lowercased($0) }), scheme == "http" || scheme == "https",
            let host = url.host(percentEncoded: false).map(WebOrigin.canonical), WebOrigin.isHost(host)
        else { return nil }
        let port = PortNumber.of(url, usual: scheme == "https" ? 443 : 80)
        guard PortNumber.all.contains(port) else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    package var isSecure: Bool { scheme == "https" }

    /// Returns true if the host is valid. Percent-encoding can hide any byte in a URL's host; bytes that end a host
    /// elsewhere (in a request line, in CONNECT, in another parser) would make two parsers see different hosts.
    private static func isHost(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) {
            let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
            let zone = parts.dropFirst().joined()
            return IPAddress(String(parts[0]))?.isV6 == true && zone.utf8.allSatisfy(HTTPFieldSyntax.isToken)
        }
        return !host.isEmpty
            && host.utf8.allSatisfy { byte in
                switch byte {
                case 0...0x20, 0x7F: false
                case 0x22, 0x23, 0x25, 0x2F, 0x3C, 0x3E, 0x3F, 0x40, 0x5B, 0x5C, 0x5D, 0x5E, 0x60, 0x7B, 0x7C, 0x7D:
                    false
                default: true
                }
            }
    }

    package static func canonical(_ host: String) -> String {
        var host = HTTPFieldSyntax.lowercased(host)
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.hasSuffix("."), host.utf8.count > 1 { host.removeLast() }
        return host
    }
}
