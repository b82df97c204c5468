import Foundation
import Glibc
import Synchronization

/// An HTTP/1.1 server for the kill sweep, with faults: it closes instead of responding, truncates bodies, and is slow.
///
/// `GET /file/n` sends body n, `PUT /file/n` compares the request's body with it.
final class SweepServer: Sendable {
    private struct State {
        var random: SplitMix
        var uploads: Set<Int> = []
        var wrong: Set<Int> = []
    }

    private enum Fault { case none, close, cut, slow }

    let port: UInt16
    private let descriptor: CInt
    private let state: Mutex<State>

    /// The numbers of the bodies that arrived completely.
    var uploads: Set<Int> { state.withLock { $0.uploads } }
    /// The numbers of the uploads that arrived with other bytes.
    var wrongUploads: Set<Int> { state.withLock { $0.wrong } }

    init(seed: UInt64) throws {
        state = Mutex(State(random: SplitMix(seed: seed)))
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, length) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw CocoaError(.featureUnsupported) }
        descriptor = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { [self] in
                    while serve(connection) {}
                    close(connection)
                }
            }
        }
    }

    private func draw() -> (fault: Fault, share: Double) {
        state.withLock { state in
            let fault: Fault =
                switch state.random.below(20) {
                case 0, 1: .close
                case 2, 3, 4: .cut
                case 5, 6: .slow
                default: .none
                }
            return (fault, Double.random(in: 0..<1, using: &state.random))
        }
    }

    /// Serves one request. Returns false if the connection cannot be used again.
    private func serve(_ connection: CInt) -> Bool {
        var bytes: [UInt8] = []
        var end: Int?
        while end == nil {
            guard let more = receive(connection) else { return false }
            bytes += more
            end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
        }
        guard let end else { return false }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3, let number = words[1].split(separator: "/").last.flatMap({ Int($0) }) else {
            return false
        }
        func field(_ name: String) -> Substring? {
            lines.first { $0.lowercased().hasPrefix(name + ":") }?.split(separator: " ", maxSplits: 1).last
        }
        let (fault, share) = draw()
        if fault == .close { return false }
        if words[0] == "PUT" {
            let length = field("content-length").flatMap { Int($0) } ?? 0
            let wanted = fault == .cut ? Int(Double(length) * share) : length
            var body = Array(bytes[end...])
            while body.count < wanted {
                guard let more = receive(connection) else { return false }
                body += more
            }
            if fault == .cut { return false }
            let isRight = body == SweepContent.body(number)
            state.withLock { state in
                if isRight { _ = state.uploads.insert(number) } else { _ = state.wrong.insert(number) }
            }
            return send(Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone".utf8)[...], connection)
        }
        return sendBody(number, range: field("range"), fault, share, connection)
    }

    private func sendBody(
        _ number: Int, range: Substring?, _ fault: Fault, _ share: Double, _ connection: CInt
    ) -> Bool {
        let body = SweepContent.body(number)
        var (start, head) = (0, "HTTP/1.1 200 OK\r\n")
        if SweepContent.permitsRanges(number) {
            if let from = range?.dropFirst("bytes=".count).prefix(while: \.isNumber), let first = Int(from),
                first < body.count
            {
                start = first
                let range = "bytes \(first)-\(body.count - 1)/\(body.count)"
                head = "HTTP/1.1 206 Partial Content\r\nContent-Range: \(range)\r\n"
            }
            head += "ETag: \"\(number)\"\r\nAccept-Ranges: bytes\r\n"
        }
        head += "Content-Length: \(body.count - start)\r\n\r\n"
        guard send(Array(head.utf8)[...], connection) else { return false }
        let end = fault == .cut ? start + Int(Double(body.count - start) * share) : body.count
        if fault == .slow {
            var sent = start
            while sent < end {
                let next = min(sent + 16_384, end)
                guard send(body[sent..<next], connection) else { return false }
                sent = next
                // The pace of a slow link, so that kills come in the middle of bodies.
                usleep(10_000)
            }
        } else {
            guard send(body[start..<end], connection) else { return false }
        }
        return fault != .cut
    }

    private func receive(_ connection: CInt) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(connection, $0.baseAddress, $0.count, 0) }
        return count > 0 ? Array(buffer.prefix(count)) : nil
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
