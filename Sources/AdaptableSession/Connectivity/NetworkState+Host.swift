import Foundation
import HTTPFields
package import InternetAddresses

extension NetworkState {
    /// Returns the path to the host of a URL (a name, or an address without brackets), which `ConnectivityWaitQueue`
    /// and `HappyEyeballs` use.
    ///
    /// For a name that the machine resolves itself, the path has to lead to its address; other names are looked up only
    /// if there is a network.
    package func path(
        toHost host: String, forbidding forbidden: PathTraits = [], policy: PathPolicy = PathPolicy(),
        hosts: () -> HostsFile = HostsFile.read
    ) -> NetworkPath {
        if let literal = IPAddress(host) {
            let direct = path(to: literal, forbidding: forbidden, policy: policy)
            // An IPv4 literal may be reachable through a translator's prefix.
            return direct.isOpen || literal.isV6 ? direct : path(forbidding: forbidden, policy: policy)
        }
        // RFC 6761 §6.3.
        if host == "localhost" || host.hasSuffix(".localhost") {
            return path(to: .loopbackV4, forbidding: forbidden, policy: policy)
        }
        let general = path(forbidding: forbidden, policy: policy)
        guard !general.isOpen else { return general }
        // Without a general path only names remain that need no name server and have a reachable address.
        return hosts().addresses(of: host).lazy.map { path(to: $0, forbidding: forbidden, policy: policy) }.first(
            where: \.isOpen) ?? general
    }
}

/// The names in `/etc/hosts` (hosts(5)), which need no name server.
package struct HostsFile: Sendable {
    private let lines: [(address: IPAddress, names: [String])]

    package init(_ text: String) {
        lines = text.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard let first = words.first, let address = IPAddress(first) else { return nil }
            return (address, words.dropFirst().map { HTTPFieldSyntax.lowercased($0) })
        }
    }

    package static func read() -> HostsFile {
        HostsFile((try? String(contentsOfFile: "/etc/hosts", encoding: .utf8)) ?? "")
    }

    package func addresses(of name: String) -> [IPAddress] {
        lines.filter { $0.names.contains(HTTPFieldSyntax.lowercased(name)) }.map(\.address)
    }
}
