import CLinux
import Glibc

/// Whom to ask for names, and how patiently: resolv.conf(5) as glibc reads it, `RES_OPTIONS` and `LOCALDOMAIN` included.
package struct NameServerSettings: Hashable, Sendable {
    package struct Server: Hashable, Sendable {
        package let address: SocketAddress
        /// The interface of a link-local address; 0 without one.
        package let zone: CInt

        package init(_ address: SocketAddress, zone: CInt = 0) {
            self.address = address
            self.zone = zone
        }
    }

    package var servers: [Server]
    /// Tried below a name, in this order.
    package var search: [String] = []
    /// In seconds, for one answer of the first server.
    package var timeout = 5
    /// How often all servers are gone through.
    package var attempts = 2
    /// A name with fewer dots is tried below the search list first.
    package var dots = 1
    package var usesTCP = false

    package init(servers: [Server]) { self.servers = servers }

    /// Of this machine, now.
    package static func read() throws(SystemCallError) -> NameServerSettings {
        var read = cw_name_settings()
        var servers = [cw_name_server](repeating: cw_name_server(), count: 8)
        var domains = [CChar](repeating: 0, count: 2048)
        try SystemCallError.check(
            unsafe cw_names_settings(&read, &servers, CInt(servers.count), &domains, domains.count), "res_ninit", "/etc/resolv.conf")
        var settings = NameServerSettings(servers: servers.prefix(Int(read.servers)).compactMap(Server.init(_:)))
        settings.search = String(decoding: domains.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ").map(String.init)
        settings.timeout = max(1, Int(read.timeout))
        settings.attempts = max(1, Int(read.attempts))
        settings.dots = max(0, Int(read.dots))
        settings.usesTCP = read.uses_tcp != 0
        return settings
    }

    /// What is asked for a name, in order (resolv.conf(5), `search` and `ndots`).
    package func candidates(for name: String) -> [String] {
        let count = name.reduce(into: 0) { if $1 == "." { $0 += 1 } }
        guard !name.hasSuffix(".") else { return [name] }
        let below = search.map { $0 == "." ? name : "\(name).\($0)" }
        return count >= dots ? [name] + below.filter { $0 != name } : below.filter { $0 != name } + [name]
    }

    /// How long this server is waited for, in nanoseconds: with several, each one a little longer than that before it, as glibc has it.
    package func patience(with index: Int) -> Int64 {
        let seconds = index == 0 ? timeout : max(1, (timeout << index) / servers.count)
        return Int64(seconds) * 1_000_000_000
    }
}

extension NameServerSettings.Server {
    fileprivate init?(_ read: cw_name_server) {
        var copy = read.bytes
        let bytes = unsafe withUnsafeBytes(of: &copy) { unsafe Array($0) }
        guard let address = IPAddress(bytes: bytes.prefix(read.family == 6 ? 16 : 4)) else { return nil }
        self.init(SocketAddress(address, port: read.port), zone: CInt(truncatingIfNeeded: read.zone))
    }
}
