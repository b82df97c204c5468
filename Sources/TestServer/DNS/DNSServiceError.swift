/// The reason why the name service cannot be made from the scenario.
package enum DNSServiceError: Error, Hashable, CustomStringConvertible {
    case host(String)
    case address(String, host: String)
    case prefix(String)

    package var description: String {
        switch self {
        case .host(let host):
            "'\(host)' is not a host name (labels of 1 to 63 characters, 253 in all); write a name such as api.test, or *"
        case .address(let text, let host):
            "'\(text)', given for \(host), is not an IP address: write four decimal numbers (192.0.2.7) or an IPv6 address (2001:db8::7)"
        case .prefix(let text):
            "'\(text)' is not a NAT64 prefix: write an IPv6 prefix of length 32, 40, 48, 56, 64 or 96 without bits set after it, "
                + "such as 2001:db8:64::/96"
        }
    }
}
