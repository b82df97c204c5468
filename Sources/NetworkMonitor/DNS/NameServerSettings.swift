import CLinux
import Glibc
package import InternetAddresses

/// The DNS servers to query and their timeouts: resolv.conf(5) as glibc reads it, including `RES_OPTIONS` and
/// `LOCALDOMAIN`.
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
    /// The search domains, in the order to try them.
    package var search: [String] = []
    /// The timeout in seconds for one reply of the first server.
    package var timeout = 5
    /// The number of rounds through all servers.
    package var attempts = 2
    /// A name with fewer dots is tried with the search domains first.
    package var dots = 1
    package var usesTCP = false

    package init(servers: [Server]) { self.servers = servers }

    /// Reads the current settings of this machine.
    package static func read() throws(SystemCallError) -> NameServerSettings {
        var read = cw_resolver_settings()
        var servers = [cw_resolver_server](repeating: cw_resolver_server(), count: 8)
        var domains = [CChar](repeating: 0, count: 2048)
        try SystemCallError.check(
            unsafe cw_resolver_read_settings(&read, &servers, CInt(servers.count), &domains, domains.count),
            "res_ninit", "/etc/resolv.conf")
        var settings = NameServerSettings(servers: servers.prefix(Int(read.servers)).compactMap(Server.init(_:)))
        settings.search = String(decoding: domains.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ").map(String.init)
        settings.timeout = max(1, Int(read.timeout))
        settings.attempts = max(1, Int(read.attempts))
        settings.dots = max(0, Int(read.dots))
        settings.usesTCP = read.uses_tcp != 0
        return settings
    }

    /// Returns the names to query for a name, in order (resolv.conf(5), `search` and `ndots`).
    package func candidates(for name: String) -> [String] {
        let count = name.reduce(into: 0) { if $1 == "." { $0 += 1 } }
        guard !name.hasSuffix(".") else { return [name] }
        let below = search.map { $0 == "." ? name : "\(name).\($0)" }
        return count >= dots ? [name] + below.filter { $0 != name } : below.filter { $0 != name } + [name]
    }

    /// Returns the timeout of this server in nanoseconds: with several servers, each one's is a little longer than the
    /// one before, as in glibc.
    package func timeout(with index: Int) -> Int64 {
        let seconds = index == 0 ? timeout : max(1, (timeout << index) / servers.count)
        return Int64(seconds) * 1_000_000_000
    }
}

extension NameServerSettings.Server {
    fileprivate init?(_ read: cw_resolver_server) {
        var copy = read.bytes
        let bytes = unsafe withUnsafeBytes(of: &copy) { unsafe Array($0) }
        guard let address = IPAddress(bytes: bytes.prefix(read.family == 6 ? 16 : 4)) else { return nil }
        self.init(SocketAddress(address, port: read.port), zone: CInt(truncatingIfNeeded: read.zone))
    }
}
