import OpenSSLTLS

/// A TLS protocol version; the cases are in order from oldest to newest. The raw value is the number in the protocol.
public enum AdaptableTLSVersion: UInt16, CaseIterable, Hashable, Sendable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    // URLSession uses this spelling (tls_protocol_version_t).
    /// TLS 1.0, which RFC 8996 deprecates.
    case TLSv10 = 0x0301
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.1, which RFC 8996 deprecates.
    case TLSv11 = 0x0302
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.2.
    case TLSv12 = 0x0303
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.3.
    case TLSv13 = 0x0304

    var value: TLSVersion {
        switch self {
        case .TLSv10: .tls10
        case .TLSv11: .tls11
        case .TLSv12: .tls12
        case .TLSv13: .tls13
        }
    }

    init(_ value: TLSVersion) {
        switch value {
        case .tls10: self = .TLSv10
        case .tls11: self = .TLSv11
        case .tls12: self = .TLSv12
        case .tls13: self = .TLSv13
        }
    }
}
