import CLinux
import Glibc
import InternetAddresses

/// Sends one query to one DNS server, over a socket bound to the given interface.
enum NameServerSocket {
    /// Returns the result; nil if the deadline passed.
    static func query(
        _ question: DNSQuery, of server: SocketAddress, device: String?, tcp: Bool, until deadline: Int64
    ) throws(SystemCallError) -> DNSQuery.Verdict? {
        let verdict =
            tcp ? try stream(question, server, device, deadline) : try datagram(question, server, device, deadline)
        guard verdict == .cut, !tcp else { return verdict }
        return try stream(question, server, device, deadline)
    }

    private static func datagram(
        _ question: DNSQuery, _ server: SocketAddress, _ device: String?, _ deadline: Int64
    ) throws(SystemCallError) -> DNSQuery.Verdict? {
        // A connected socket: the kernel chooses a random port (RFC 5452), accepts only packets of this server, and
        // reports refusals.
        let socket = try connect(CW_UDP, server, device)
        _ = try socket.send(question.message)
        while true {
            guard try isReady(socket, .readable, deadline) else { return nil }
            guard let reply = try socket.receive() else { continue }
            let verdict = question.verdict(on: reply)
            // The reply is spoofed or late: the correct one may still arrive.
            if verdict == .foreign { continue }
            return verdict
        }
    }

    /// Queries over TCP. Each message is preceded by its length (RFC 1035 §4.2.2).
    private static func stream(
        _ question: DNSQuery, _ server: SocketAddress, _ device: String?, _ deadline: Int64
    ) throws(SystemCallError) -> DNSQuery.Verdict? {
        let socket = try connect(CW_TCP, server, device)
        guard try isReady(socket, .writable, deadline) else { return nil }
        if let error = socket.pendingError() { throw error }
        let length = question.message.count
        var rest = [UInt8(length >> 8), UInt8(length & 0xFF)] + question.message
        while !rest.isEmpty {
            guard let count = try socket.send(rest) else {
                guard try isReady(socket, .writable, deadline) else { return nil }
                continue
            }
            rest.removeFirst(count)
        }
        var received: [UInt8] = []
        while true {
            if received.count >= 2 {
                let announced = Int(received[0]) << 8 | Int(received[1])
                if received.count >= 2 + announced { return question.verdict(on: Array(received[2..<2 + announced])) }
            }
            guard try isReady(socket, .readable, deadline) else { return nil }
            guard let piece = try socket.receive() else { continue }
            guard !piece.isEmpty else { return .broken }
            received += piece
        }
    }

    private static func connect(
        _ kind: cw_socket_kind, _ server: SocketAddress, _ device: String?
    ) throws(SystemCallError) -> OwnedDescriptor {
        let socket = try SystemCallError.descriptor(cw_socket_make(server.address.isV6 ? 1 : 0, kind), "socket")
        try socket.withRaw { raw throws(SystemCallError) in
            if let device {
                try SystemCallError.check(
                    unsafe cw_socket_bind_to_device(raw, device), "setsockopt(SO_BINDTODEVICE)", device)
            }
            let bytes = server.kernelBytes
            let result = unsafe cw_socket_connect(raw, bytes, UInt32(bytes.count))
            if result != -EINPROGRESS { try SystemCallError.check(result, "connect", "\(server)") }
        }
        return socket
    }

    private static func isReady(
        _ socket: borrowing OwnedDescriptor, _ interest: Poller.Readiness, _ deadline: Int64
    ) throws(SystemCallError) -> Bool {
        try socket.withRaw { raw throws(SystemCallError) in
            try !Poller.wait(for: raw, interest, until: deadline).isEmpty
        }
    }
}
