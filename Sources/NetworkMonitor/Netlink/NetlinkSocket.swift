import CNetlink
import Glibc
import Synchronization

/// A network namespace in which sockets can be opened. A socket belongs to the namespace of the thread that opens it.
package protocol NetworkScope: Sendable {
    /// Runs `body` on a thread of this namespace and waits for it.
    func perform<Value: ~Copyable, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value
}

/// A netlink socket of one network namespace; it stays there, whichever thread uses it.
package final class NetlinkSocket: Sendable {
    private let connection: Mutex<Connection>

    /// Opens a socket for links, addresses and routes inside `namespace`; nil means the calling thread's.
    package convenience init(in namespace: (any NetworkScope)? = nil) throws(NetlinkError) {
        try self.init(in: namespace, protocol: NETLINK_ROUTE)
    }

    package init(in namespace: (any NetworkScope)?, protocol number: CInt) throws(NetlinkError) {
        guard let namespace else {
            connection = Mutex(try Connection.open(number))
            return
        }
        connection = Mutex(try namespace.perform { () throws(NetlinkError) in try Connection.open(number) })
    }

    /// Sends a request and waits for the kernel's acknowledgement.
    package func send(_ request: NetlinkRequest, _ operation: String) throws(NetlinkError) {
        _ = try exchange(request, operation, dump: false)
    }

    /// Sends a request and collects the replies: one, or with `dump` all of them.
    package func exchange(
        _ request: NetlinkRequest, _ operation: String, dump: Bool
    ) throws(NetlinkError) -> [NetlinkReply] {
        let reply = connection.withLock { connection in
            Result { () throws(NetlinkError) in try connection.exchange(request, operation, dump: dump) }
        }
        return try reply.get()
    }
}

/// The result of one exchange, filled in by libnl's callbacks.
private struct Collected {
    var replies: [NetlinkReply] = []
    var errno: CInt = 0
    var explanation: String?
    var isAcknowledged = false
}

@safe private struct Connection: ~Copyable {
    private let socket: OpaquePointer

    static func open(_ number: CInt) throws(NetlinkError) -> Connection {
        guard let socket = unsafe nl_socket_alloc() else {
            throw .system(SystemCallError(call: "nl_socket_alloc", errno: ENOMEM))
        }
        let connection = unsafe Connection(socket: socket)
        let result = unsafe nl_connect(socket, number)
        guard result >= 0 else {
            throw .system(SystemCallError(call: "socket(AF_NETLINK)", errno: result == -NLE_PERM ? EPERM : errno))
        }
        // Requests the kernel's own messages in errors. Without them only the error number remains, so a refusal does
        // not matter.
        var one: CInt = 1
        _ = unsafe setsockopt(
            nl_socket_get_fd(socket), 270 /* SOL_NETLINK */, 11 /* NETLINK_EXT_ACK */, &one,
            socklen_t(MemoryLayout<CInt>.size))
        return connection
    }

    private init(socket: OpaquePointer) {
        unsafe self.socket = socket
    }

    deinit {
        unsafe nl_socket_free(socket)
    }

    mutating func exchange(
        _ request: NetlinkRequest, _ operation: String, dump: Bool
    ) throws(NetlinkError) -> [NetlinkReply] {
        for _ in 0..<8 {
            var collected = Collected()
            let result = unsafe withUnsafeMutablePointer(to: &collected) { pointer in
                unsafe exchangeOnce(request, dump: dump, into: pointer)
            }
            if collected.errno != 0 {
                throw .refused(operation: operation, errno: collected.errno, explanation: collected.explanation)
            }
            // Something changed while the kernel was listing: the list may be incomplete, so repeat the request.
            if result == -NLE_DUMP_INTR { continue }
            guard result >= 0 else {
                let text = unsafe nl_geterror(result).map { unsafe String(cString: $0) }
                throw .refused(operation: operation, errno: EIO, explanation: text)
            }
            return collected.replies
        }
        throw .refused(operation: operation, errno: EAGAIN, explanation: "the list kept changing")
    }

    private func exchangeOnce(
        _ request: NetlinkRequest, dump: Bool, into collected: UnsafeMutablePointer<Collected>
    ) -> CInt {
        let flags = request.flags | NLM_F_REQUEST | (dump ? NLM_F_DUMP : NLM_F_ACK)
        guard let message = unsafe nlmsg_alloc_size(request.body.count + 64) else { return -NLE_NOMEM }
        defer { unsafe nlmsg_free(message) }
        // Port and sequence number 0 are libnl's NL_AUTO_PORT and NL_AUTO_SEQ.
        guard unsafe nlmsg_put(message, 0, 0, CInt(request.type), 0, flags) != nil else { return -NLE_NOMEM }
        var body = request.body
        let appended = unsafe nlmsg_append(message, &body, body.count, CInt(NLMSG_ALIGNTO))
        guard appended >= 0 else { return appended }

        unsafe nl_socket_modify_err_cb(
            socket, NL_CB_CUSTOM,
            { _, error, context in
                guard let error = unsafe error, let context = unsafe context else { return CInt(NL_STOP.rawValue) }
                unsafe context.assumingMemoryBound(to: Collected.self).pointee.note(error)
                return CInt(NL_STOP.rawValue)
            }, collected)
        unsafe nl_socket_modify_cb(
            socket, NL_CB_VALID, NL_CB_CUSTOM,
            { message, context in
                guard let message = unsafe message, let context = unsafe context else { return CInt(NL_OK.rawValue) }
                unsafe context.assumingMemoryBound(to: Collected.self).pointee.note(message)
                return CInt(NL_OK.rawValue)
            }, collected)
        unsafe nl_socket_modify_cb(
            socket, NL_CB_ACK, NL_CB_CUSTOM,
            { _, context in
                guard let context = unsafe context else { return CInt(NL_STOP.rawValue) }
                unsafe context.assumingMemoryBound(to: Collected.self).pointee.isAcknowledged = true
                return CInt(NL_STOP.rawValue)
            }, collected)
        unsafe nl_complete_msg(socket, message)
        let sent = unsafe nl_send(socket, message)
        guard sent >= 0 else { return sent }
        // A dump ends with its own message. The reply to a single request is one datagram, its acknowledgement another.
        var result = unsafe nl_recvmsgs_default(socket)
        while result >= 0, !dump, unsafe !collected.pointee.isAcknowledged, unsafe collected.pointee.errno == 0 {
            result = unsafe nl_recvmsgs_default(socket)
        }
        return result
    }
}

extension Collected {
    /// Records a message of type NLMSG_ERROR with an error in it.
    mutating func note(_ error: UnsafeMutablePointer<nlmsgerr>) {
        errno = -(unsafe error.pointee.error)
        let header = unsafe UnsafeRawPointer(error) - MemoryLayout<nlmsghdr>.size
        let length = unsafe Int(header.load(as: nlmsghdr.self).nlmsg_len)
        let flags = unsafe CInt(header.load(as: nlmsghdr.self).nlmsg_flags)
        guard flags & NLM_F_ACK_TLVS != 0 else { return }
        // The request is returned whole unless NLM_F_CAPPED is set, which means only its header; the explanation
        // follows it.
        var skipped = MemoryLayout<nlmsghdr>.size + MemoryLayout<nlmsgerr>.size
        if flags & NLM_F_CAPPED == 0 {
            skipped += (unsafe Int(error.pointee.msg.nlmsg_len) + 3 & ~3) - MemoryLayout<nlmsghdr>.size
        }
        guard skipped < length else { return }
        let rest = unsafe UnsafeRawBufferPointer(start: header + skipped, count: length - skipped)
        explanation = unsafe NetlinkReply.attributes(in: Array(rest))[Int(NLMSGERR_ATTR_MSG.rawValue)]?.netlinkText
    }

    mutating func note(_ message: OpaquePointer) {
        guard let header = unsafe nlmsg_hdr(message), let data = unsafe nlmsg_data(header) else { return }
        let count = unsafe Int(nlmsg_datalen(header))
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: data, count: count))
        replies.append(NetlinkReply(type: unsafe Int(header.pointee.nlmsg_type), body: bytes))
    }
}
