internal import COpenSSL

enum NetworkAddress {
    /// Returns true if the text is an IPv4 or IPv6 address and not a name.
    static func isAddress(_ text: String) -> Bool {
        ErrorQueue.clear()
        defer { ErrorQueue.clear() }
        guard let octets = unsafe a2i_IPADDRESS(text) else { return false }
        unsafe ASN1_OCTET_STRING_free(octets)
        return true
    }
}
