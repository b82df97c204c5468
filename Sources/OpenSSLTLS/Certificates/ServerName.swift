internal import COpenSSL
import InternetAddresses

/// The name or address that a peer's certificate must contain, and the rules of the comparison (RFC 9525 §6.3).
package enum ServerName {
    /// In the form in which it is sent and compared: without the final dot of a name.
    case name(String)
    case address(String)

    /// A name in the subject alone does not count, and a wildcard is a whole label.
    package static let hostFlags = CUnsignedInt(
        X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)

    /// Parses a name. OpenSSL would verify no name at all for an empty name, accept every subdomain for a name with a
    /// leading dot, and compare only up to a zero byte: such names are rejected.
    package init(_ text: String) throws(TLSError) {
        if !text.utf8.contains(0), IPAddress(text) != nil {
            self = .address(text)
            return
        }
        let name = text.utf8.last == UInt8(ascii: ".") ? String(text.utf8.dropLast()) ?? "" : text
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy({ !$0.isEmpty && !$0.contains(0) }) else {
            throw .invalid(
                what: "the server's name", found: text, allowed: "non-empty labels separated by dots, or an address")
        }
        self = .name(name)
    }
}
