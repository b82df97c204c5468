import Foundation

/// Credentials of the Basic scheme (RFC 7617).
package enum BasicCredentials {
    /// Returns the text after `Basic `; nil for a user or password that the scheme cannot carry (§2: no colon in the
    /// user, no control characters).
    package static func text(user: String, password: String) -> String? {
        // §2.1: NFC and UTF-8, which is also the only useful encoding if the server does not name a charset.
        let user = user.precomposedStringWithCanonicalMapping
        let password = password.precomposedStringWithCanonicalMapping
        guard !user.utf8.contains(0x3A), !(user + password).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return nil
        }
        return Data("\(user):\(password)".utf8).base64EncodedString()
    }
}
