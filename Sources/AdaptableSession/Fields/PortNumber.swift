package import Foundation

/// The ports of URLs and settings. TCP ports go up to 65535.
package enum PortNumber {
    package static let all = 0...65_535

    /// Returns the URL's port, or `usual` if the URL does not name one. A number that is too large for Int is returned
    /// as Int.max: Foundation returns nil for it, and the default port of the scheme would lead to another server than
    /// the URL's.
    package static func of(_ url: URL, usual: Int) -> Int { url.port ?? (namesPort(url) ? .max : usual) }

    private static func namesPort(_ url: URL) -> Bool {
        let text = Array(url.absoluteString.utf8)
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text[(colon + 1)...].starts(with: [0x2F, 0x2F]) else {
            return false
        }
        let authority = text[(colon + 3)...].prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
        let digits = host.reversed().prefix { (0x30...0x39).contains($0) }.count
        return digits > 0 && host.dropLast(digits).last == UInt8(ascii: ":")
    }
}
