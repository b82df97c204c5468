import Foundation
import Glibc
import Synchronization

/// An HTTP/1.1 server with one resource, which it sends slowly and in ranges, so that a transfer can be interrupted in
/// the middle.
final class PacedServer: Sendable {
    let body: [UInt8]
    let port: UInt16
    private let descriptor: CInt
    /// The heads of the requests, in order.
    private let heads = Mutex<[String]>([])

    var requests: [String] { heads.withLock { $0 } }

    /// Serves on a free port of the loopback interface.
    init(body: [UInt8]) throws {
        self.body = body
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = descriptor
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw NotBound() }
        port = UInt16(bigEndian: address.sin_port)
    }

    struct NotBound: Error {}

    deinit { close(descriptor) }

    /// Accepts until the listener is shut down.
    func run() {
        while true {
            let connection = accept(descriptor, nil, nil)
            guard connection >= 0 else { return }
            PacedServer.thread { self.serve(connection) }
        }
    }

    func stop() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    static func thread(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }

    private func serve(_ connection: CInt) {
        defer { close(connection) }
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !text.hasSuffix("\r\n\r\n") {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(connection, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return }
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        let head = text
        heads.withLock { $0.append(head) }
        let range = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("range: bytes=") }
        let start = range.flatMap { Int($0.dropFirst("Range: bytes=".count).prefix { $0.isNumber }) } ?? 0
        let common = "ETag: \"one\"\r\nContent-Length: \(body.count - start)\r\nConnection: close\r\n"
        let status =
            start == 0
            ? "HTTP/1.1 200 OK\r\n"
            : "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(start)-\(body.count - 1)/\(body.count)\r\n"
        guard send(Array((status + common + "\r\n").utf8)[...], connection) else { return }
        var sent = start
        while sent < body.count {
            let end = min(sent + 65_536, body.count)
            guard send(body[sent..<end], connection) else { return }
            sent = end
            // The pace of a slow link: the body takes over a second.
            usleep(20_000)
        }
    }

    private func send(_ bytes: ArraySlice<UInt8>, _ connection: CInt) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
