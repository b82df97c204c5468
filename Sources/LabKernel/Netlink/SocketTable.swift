import CNetlink
import Glibc
package import InternetAddresses
package import NetworkMonitor

/// A TCP socket of a network namespace in its current state.
package struct TCPSocket: Hashable, Sendable {
    /// The states of RFC 9293, section 3.3.2, by the kernel's numbers (`TCP_ESTABLISHED` … `TCP_NEW_SYN_RECV`).
    package enum State: UInt8, Hashable, Sendable, CaseIterable {
        case established = 1
        case synSent, synReceived, finWait1, finWait2, timeWait, closed, closeWait, lastAck, listening, closing,
            newSynReceived
    }

    package let state: State
    package let local: SocketAddress
    package let remote: SocketAddress
    /// The smoothed round-trip time in nanoseconds; nil before the first measurement.
    package let roundTrip: Int64?
    /// Retransmitted segments since the connection began.
    package let retransmits: UInt32
    /// The number of failed transmissions of the oldest pending segment; the kernel doubles its timeout each time.
    package let backoff: UInt8
    package let bytesAcknowledged: UInt64
    package let bytesReceived: UInt64
    /// Bytes passed to the kernel and not acknowledged yet (for a listening socket: the limit of its backlog).
    package let unacknowledged: UInt32
    /// Bytes received and not read yet.
    package let unread: UInt32
}

/// The TCP sockets of one network namespace (sock_diag(7)).
package final class SocketTable: Sendable {
    private let netlink: NetlinkSocket

    package init(in namespace: NetworkNamespace? = nil) throws(NetlinkError) {
        netlink = try NetlinkSocket(in: namespace, protocol: DiagnosisMessage.netlinkProtocol)
    }

    /// Returns all TCP sockets of both families; listening ones only if requested.
    package func tcp(listening: Bool = false) throws(NetlinkError) -> [TCPSocket] {
        var sockets: [TCPSocket] = []
        for family in [AF_INET, AF_INET6] {
            let request = NetlinkRequest(
                DiagnosisMessage.byFamily, header: DiagnosisMessage.question(UInt8(family), listening: listening))
            do throws(NetlinkError) {
                sockets += try netlink.exchange(request, "listing TCP sockets", dump: true).compactMap(TCPSocket.init)
            } catch {
                // ENOENT: the kernel lacks inet_diag, tcp_diag or IPv6.
                guard case .refused(_, ENOENT, _) = error else { throw error }
                guard family == AF_INET6 else {
                    throw .unsupported("this kernel cannot list sockets; modprobe tcp_diag")
                }
            }
        }
        return sockets
    }
}

/// Layout of <linux/inet_diag.h>.
private enum DiagnosisMessage {
    static let netlinkProtocol: CInt = 4
    static let byFamily = 20
    static let information = 2
    static let replyHeader = 72

    /// `struct inet_diag_req_v2`
    static func question(_ family: UInt8, listening: Bool) -> [UInt8] {
        let listeningBit = UInt32(1) << UInt32(TCPSocket.State.listening.rawValue)
        let states: UInt32 = 0xFFF & (listening ? .max : ~listeningBit)
        return [family, UInt8(IPPROTO_TCP), 1 << UInt8(information - 1), 0] + states.hostBytes
            + [UInt8](repeating: 0, count: 48)
    }
}

extension TCPSocket {
    /// Reads `struct inet_diag_msg`; its sockid begins at 4: ports in network order, then both addresses in 16 bytes
    /// each.
    init?(_ reply: NetlinkReply) {
        guard reply.type == DiagnosisMessage.byFamily, let header = reply.header(DiagnosisMessage.replyHeader),
            let state = State(rawValue: header[1]), let local = Self.address(header, port: 4, address: 8),
            let remote = Self.address(header, port: 6, address: 24)
        else { return nil }
        let information = reply.attributes(after: DiagnosisMessage.replyHeader)[DiagnosisMessage.information] ?? []
        self.state = state
        self.local = local
        self.remote = remote
        let microseconds: UInt32 = Self.word(information, 68)
        roundTrip = microseconds == 0 ? nil : Int64(microseconds) * 1000
        retransmits = Self.word(information, 100)
        backoff = information.count > 4 ? information[4] : 0
        bytesAcknowledged = Self.word(information, 120)
        bytesReceived = Self.word(information, 128)
        unread = UInt32(hostBytes: header[56..<60])
        unacknowledged = UInt32(hostBytes: header[60..<64])
    }

    /// Reads a field of `struct tcp_info`; 0 if the kernel's structure is shorter.
    private static func word<Word: FixedWidthInteger>(_ bytes: [UInt8], _ offset: Int) -> Word {
        let end = offset + MemoryLayout<Word>.size
        return end <= bytes.count ? Word(hostBytes: bytes[offset..<end]) : 0
    }

    private static func address(_ header: [UInt8], port: Int, address: Int) -> SocketAddress? {
        let number = UInt16(header[port]) << 8 | UInt16(header[port + 1])
        let bytes = header[address..<address + 16]
        let isV4 = header[0] == UInt8(AF_INET)
        // An IPv6 socket that uses IPv4 has mapped addresses (RFC 4291, section 2.5.5.2).
        let mapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes.dropFirst(10).prefix(2).allSatisfy { $0 == 0xFF }
        let short = isV4 ? bytes.prefix(4) : mapped ? bytes.suffix(4) : bytes
        return IPAddress(bytes: short).map { SocketAddress($0, port: number) }
    }
}
