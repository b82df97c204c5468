internal import COpenSSL

/// A protocol version, oldest first; the raw value is its spelling in scenarios.
package enum TLSVersion: String, CaseIterable, Comparable, Hashable, Sendable {
    case tls10 = "1.0"
    case tls11 = "1.1"
    case tls12 = "1.2"
    case tls13 = "1.3"

    package static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.number < right.number }

    /// The number on the wire (RFC 8446 §4.2.1).
    var number: CInt {
        switch self {
        case .tls10: TLS1_VERSION
        case .tls11: TLS1_1_VERSION
        case .tls12: TLS1_2_VERSION
        case .tls13: TLS1_3_VERSION
        }
    }

    init?(number: CInt) {
        guard let version = TLSVersion.allCases.first(where: { $0.number == number }) else { return nil }
        self = version
    }
}
