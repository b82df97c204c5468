import Glibc

/// Why a name has no addresses of a family.
package enum HostLookupError: Error, Hashable, Sendable {
    /// There is no such name (EAI_NONAME).
    case noSuchName
    /// The name exists, with addresses of other families at best (EAI_NODATA, EAI_ADDRFAMILY).
    case noAddress
    /// No server answered, or one asked to try again (EAI_AGAIN).
    case unanswered
    /// The server refused or failed (EAI_FAIL), or this machine cannot look names up.
    case failed(String)
}

/// The system's own lookup of names: hosts file, name servers and whatever else nsswitch.conf names.
package enum HostLookup {
    /// The addresses of `name` of one family, in the system's order (RFC 6724). Blocks the calling thread, for seconds if no server answers.
    ///
    /// `isNumber`: nobody is asked; what is no address in figures is `noSuchName`.
    package static func addresses(of name: String, v6: Bool, isNumber: Bool = false) throws(HostLookupError) -> [IPAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = v6 ? AF_INET6 : AF_INET
        // One entry for each address instead of one for each kind of socket.
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
            if let address = SocketAddress(kernelBytes: bytes)?.address, !found.contains(address) { found.append(address) }
            unsafe entry = info.ai_next
        }
        return found
    }
}
