internal import AdapterProtocol
import Dispatch
import Glibc

/// The reason why a request to the lab failed.
public enum NetworkError: Error, Hashable, CustomStringConvertible {
    /// The program does not run in a lab that it can change.
    case notInLab
    /// The lab refused the request; the text has the reason.
    case refused(String)
    /// The lab cannot be reached, or it has ended.
    case unreachable(String)
    /// The reply is not one of the control protocol, version 1.
    case invalidReply(String)

    /// The error in words.
    public var description: String {
        switch self {
        case .notInLab:
            "needs a lab (\(ControlConnection.variable) is not set); run the tests under `crosswind exec -- swift test`"
        case .refused(let reason): reason
        case .unreachable(let reason): "cannot reach the lab: \(reason)"
        case .invalidReply(let reason): "the reply of the lab is not understood: \(reason); use matching versions"
        }
    }
}

/// The socket of a lab. Each request has a connection of its own, so that one that waits does not delay the others.
struct ControlConnection: Hashable, Sendable {
    let path: String

    static let variable = "CROSSWIND_CONTROL"
    private static let version: Int64 = 1
    /// A reply has up to 1,000 requests with their headers; more than this is not a reply.
    private static let longestReply = 256 << 20

    static var pathOfLab: String? {
        guard let value = unsafe getenv(variable) else { return nil }
        let path = unsafe String(cString: value)
        return path.isEmpty ? nil : path
    }

    /// Sends a request without its version and returns the fields of the reply.
    func send(_ request: [String: JSONValue]) async throws(NetworkError) -> [String: JSONValue] {
        let line = JSONValue.object(request.merging(["v": .integer(Self.version)]) { $1 }).line
        // The socket blocks, which a thread of the cooperative pool must not.
        let reply: Result<[UInt8], NetworkError> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                do throws(NetworkError) {
                    continuation.resume(returning: .success(try exchange(Array((line + "\n").utf8))))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        guard let fields = JSONValue.parse(try reply.get())?.object else {
            throw .invalidReply("it is not a JSON object")
        }
        guard fields["v"]?.integer == Self.version else {
            throw .invalidReply("its version is \(fields["v"]?.line ?? "missing"), not \(Self.version)")
        }
        if let reason = fields["refused"]?.text { throw .refused(reason) }
        return fields
    }

    private func exchange(_ line: [UInt8]) throws(NetworkError) -> [UInt8] {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // The last byte is zero.
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw .unreachable("the path \(path) is too long for a socket")
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let connected = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { throw failure() }
        var sent = 0
        while sent < line.count {
            let rest = line[sent...]
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            sent += count
        }
        return try receive(descriptor)
    }

    private func receive(_ descriptor: CInt) throws(NetworkError) -> [UInt8] {
        var reply: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while reply.last != UInt8(ascii: "\n") {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure() }
            guard count > 0 else { throw .unreachable("it closed the connection without a reply; it may have ended") }
            reply += buffer.prefix(count)
            guard reply.count <= Self.longestReply else { throw .invalidReply("it is longer than 256 MiB") }
        }
        return reply
    }

    private func failure() -> NetworkError {
        let number = errno
        return .unreachable("\(path): \(unsafe String(cString: strerror(number)))")
    }
}
