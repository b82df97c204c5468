internal import CPublicSuffix

/// The domains under which unrelated parties register names (publicsuffix.org), for which cookies are therefore
/// refused. Any single label is one, too: the list's rule for names that no other rule matches is `*`.
///
/// libpsl reads `*.ck` as a rule for `ck` as well, so that a cookie cannot reach every name below the wildcard.
public struct PublicSuffixList: Sendable {
    /// A list of libpsl. `@unchecked` is safe because libpsl never changes a loaded list.
    @safe private final class Rules: @unchecked Sendable {
        let handle: OpaquePointer

        init?(_ handle: OpaquePointer?) {
            guard let handle = unsafe handle else { return nil }
            unsafe self.handle = unsafe handle
        }

        /// The built-in list is static; libpsl ignores the call for it.
        deinit { unsafe psl_free(handle) }
    }

    private let rules: Rules

    /// The newer of the list that the distribution updates (package `publicsuffix`) and the one that is built into
    /// libpsl: in Debian 12's libpsl 0.21.2 that of 2023-02-09. Read at first use.
    public static let system: PublicSuffixList = {
        guard let rules = unsafe Rules(psl_latest(nil)) ?? Rules(psl_builtin()) else {
            preconditionFailure("libpsl is installed without a public suffix list")
        }
        return PublicSuffixList(rules: rules)
    }()

    private init(rules: Rules) { self.rules = rules }

    /// Reads the rules from a file in the format of publicsuffix.org. Returns nil if it cannot be read.
    public init?(contentsOf file: String) {
        guard let rules = unsafe Rules(psl_load_file(file)) else { return nil }
        self.rules = rules
    }

    /// Returns true if the host is a public suffix.
    public func isPublicSuffix(_ host: String) -> Bool {
        guard !host.isEmpty else { return false }
        return unsafe psl_is_public_suffix2(rules.handle, Self.lowercased(host), PSL_TYPE_ANY) == 1
    }

    /// Returns the public suffix with the label before it, in lower case; nil for a public suffix itself, for an IP
    /// address and for a name that begins with a dot.
    public func registrableDomain(_ host: String) -> String? {
        guard !CookieMatch.isAddress(host) else { return nil }
        return unsafe Self.lowercased(host).withCString { host in
            unsafe psl_registrable_domain(rules.handle, host).map { unsafe String(cString: $0) }
        }
    }

    /// Returns the host in the form that libpsl compares: names in lower case, as UTF-8 or as `xn--`.
    private static func lowercased(_ host: String) -> String {
        guard !host.utf8.allSatisfy({ $0 < 0x80 && !(0x41...0x5A).contains($0) }) else { return host }
        var lower: UnsafeMutablePointer<CChar>?
        guard unsafe psl_str_to_utf8lower(host, "utf-8", nil, &lower) == PSL_SUCCESS, let lower = unsafe lower else {
            return host
        }
        defer { unsafe psl_free_string(lower) }
        return unsafe String(cString: lower)
    }
}
