import CLinux
package import InternetAddresses

/// One DNS query for the addresses of one family of one name. It also evaluates the reply.
package struct DNSQuery: Sendable {
    package enum Verdict: Hashable, Sendable {
        case found([IPAddress])
        case noSuchName
        /// The name exists, or an alias leads to one that does.
        case noAddress
        /// This server failed or refused: the next one is queried.
        case refused
        /// The reply was truncated: repeat the query over TCP.
        case cut
        /// Not the reply to this query.
        case foreign
        case broken
    }

    /// The query as it is sent.
    package let message: [UInt8]
    private let v6: Bool

    /// Creates a query; nil for an invalid name: longer than 255 bytes, or with a label that is empty or longer than 63
    /// bytes (RFC 1035 §2.3.4).
    package init?(_ name: String, v6: Bool) {
        var bytes = [UInt8](repeating: 0, count: 512)
        let length = unsafe cw_dns_write_query(name, v6 ? 1 : 0, &bytes, bytes.count)
        guard length > 0 else { return nil }
        message = Array(bytes.prefix(Int(length)))
        self.v6 = v6
    }

    package func verdict(on reply: [UInt8]) -> Verdict {
        let width = v6 ? 16 : 4
        let capacity = 256
        var bytes = [UInt8](repeating: 0, count: capacity * width)
        var count: CInt = 0
        let result = unsafe cw_dns_parse_reply(
            message, message.count, reply, reply.count, &bytes, CInt(capacity), &count)
        switch result {
        case CInt(CW_DNS_REPLY_FOUND.rawValue):
            var found: [IPAddress] = []
            for index in 0..<Int(count) {
                guard let address = IPAddress(bytes: bytes[index * width..<(index + 1) * width]),
                    !found.contains(address)
                else { continue }
                found.append(address)
            }
            return .found(found)
        case CInt(CW_DNS_REPLY_NO_SUCH_NAME.rawValue): return .noSuchName
        case CInt(CW_DNS_REPLY_NO_ADDRESS.rawValue): return .noAddress
        case CInt(CW_DNS_REPLY_REFUSED.rawValue): return .refused
        case CInt(CW_DNS_REPLY_TRUNCATED.rawValue): return .cut
        case CInt(CW_DNS_REPLY_MISMATCHED.rawValue): return .foreign
        default: return .broken
        }
    }
}
