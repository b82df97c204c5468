import Glibc
package import InternetAddresses

/// The reason why a name does not resolve to addresses of a family.
package enum HostLookupError: Error, Hashable, Sendable {
    /// The name does not exist (EAI_NONAME).
    case noSuchName
    /// The name exists, but has at most addresses of other families (EAI_NODATA, EAI_ADDRFAMILY).
    case noAddress
    /// No server replied, or one requested a retry (EAI_AGAIN).
    case unanswered
    /// The server refused or failed (EAI_FAIL), or this machine cannot look up names.
    case failed(String)
}

/// The system's own lookup of names: the hosts file, DNS servers and the other sources in nsswitch.conf.
package enum HostLookup {
    /// Returns the addresses of `name` of one family, in the system's order (RFC 6724). Blocks the calling thread, for
    /// seconds if no server replies.
    ///
    /// With `isNumber` no query is sent, and a name that is not a numeric address fails with `noSuchName`.
    package static func addresses(of name: String, v6: Bool, isNumber: Bool = false) throws(HostLookupError)
        -> [IPAddress]
    {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = v6 ? AF_INET6 : AF_INET
        // One entry per address instead of one per kind of socket.
        unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        if isNumber { unsafe hints.ai_flags = AI_NUMERICHOST }
        var list: UnsafeMutablePointer<addrinfo>?
        let result = unsafe getaddrinfo(name, nil, &hints, &list)
        let reason = errno
        defer { if unsafe list != nil { unsafe freeaddrinfo(list) } }
        switch result {
        case 0: break
        case EAI_NONAME: throw .noSuchName
        case -5 /* EAI_NODATA */, -9 /* EAI_ADDRFAMILY */: throw .noAddress
        case EAI_AGAIN: throw .unanswered
        case EAI_SYSTEM: throw .failed(SystemCallError.text(of: reason))
        default: throw .failed(unsafe gai_strerror(result).map { unsafe String(cString: $0) } ?? "error \(result)")
        }
        var found: [IPAddress] = []
        var entry = unsafe list
        while let current = unsafe entry {
            let info = unsafe current.pointee
            let bytes = unsafe Array(UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
            if let address = SocketAddress(kernelBytes: bytes)?.address, !found.contains(address) {
                found.append(address)
            }
            unsafe entry = info.ai_next
        }
        return found
    }
}
