import Foundation

/// The domains under which unrelated parties register names (publicsuffix.org), for which cookies are therefore
/// refused.
public struct PublicSuffixList: Sendable {
    private struct Rules: Sendable {
        /// Domain names in ASCII form; `*` stands for one label.
        var names: Set<String> = []
        var exceptions: Set<String> = []

        /// Parses bytes rather than strings, because ten thousand lines are read while a response waits.
        init(_ text: some Collection<UInt8>) {
            names.reserveCapacity(12_000)
            for line in text.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
                guard let first = line.first, first != UInt8(ascii: "/"), first > 32 else { continue }
                let rule = line.prefix { $0 > 32 }
                let isException = first == UInt8(ascii: "!")
                let name = String(decoding: isException ? rule.dropFirst() : rule, as: UTF8.self)
                let isPlain = name.utf8.allSatisfy { $0 < 0x80 && !($0 >= 65 && $0 <= 90) }
                let host =
                    isPlain ? name : name.lowercased().split(separator: ".").map(Punycode.label).joined(separator: ".")
                if isException { exceptions.insert(host) } else { names.insert(host) }
            }
        }
    }

    private enum Source: Sendable {
        case given(Rules)
        case system
    }

    private let source: Source
    private static let systemRules =
        FileManager.default.contents(atPath: "/usr/share/publicsuffix/public_suffix_list.dat").map { Rules($0) }
        ?? builtIn.rules

    private var rules: Rules {
        switch source {
        case .given(let rules): rules
        case .system: Self.systemRules
        }
    }

    private init(_ source: Source) { self.source = source }

    /// Reads rules in the format of publicsuffix.org: one rule per line, `*.` for any label, `!` for an exception, `//`
    /// for comments.
    public init(_ text: some StringProtocol) { source = .given(Rules(Array(text.utf8))) }

    /// The list of the distribution's package `publicsuffix`, or the built-in registries if it is not installed. Read
    /// at first use.
    public static let system = PublicSuffixList(.system)

    /// Reads the rules from a file. Returns nil if it cannot be read.
    public init?(contentsOf file: String) {
        guard let data = FileManager.default.contents(atPath: file) else { return nil }
        source = .given(Rules(data))
    }

    /// Any single label, and the second-level domains of registries that register names below them.
    static let builtIn = PublicSuffixList(
        builtInRegistries.flatMap { country, labels in labels.split(separator: " ").map { "\($0).\(country)" } }.joined(
            separator: "\n")
            + "\n*.ck\n!www.ck\ngithub.io\nblogspot.com\nherokuapp.com\npages.dev\nweb.app\nappspot.com\nvercel.app\nnetlify.app"
    )

    private static let builtInRegistries = [
        ("ar", "com edu gob gov int mil net org"), ("at", "ac co gv or"), ("au", "com net org edu gov asn id"),
        ("br", "com net org gov edu mil art blog eco"), ("cn", "ac com edu gov net org mil"),
        ("co", "com edu gov mil net nom org"),
        ("hk", "com edu gov idv net org"), ("id", "ac co go mil net or sch web"), ("il", "ac co gov k12 muni net org"),
        ("in", "ac co edu firm gen gov ind mil net nic org res"), ("jp", "ac ad co ed go gr lg ne or"),
        ("kr", "ac co es go hs kg mil ms ne or pe re sc"), ("mx", "com edu gob net org"),
        ("my", "com edu gov mil name net org"),
        ("nz", "ac co geek gen govt iwi maori mil net org school"), ("ph", "com edu gov net ngo org"),
        ("pl", "com edu gov net org"),
        ("sg", "com edu gov net org per"), ("th", "ac co go in mi net or"),
        ("tr", "av bel com edu gen gov k12 name net org web"),
        ("tw", "club com ebiz edu game gov idv mil net org"), ("ua", "com edu gov in net org"),
        ("uk", "ac co gov ltd me net nhs org plc police sch"), ("vn", "com edu gov net org"),
        ("za", "ac co gov law mil net nom org web"),
    ]

    /// Returns the number of labels at the end of the host that form the public suffix; at least one.
    private func suffixLength(_ labels: [Substring]) -> Int {
        let rules = rules
        for start in labels.indices {
            let name = labels[start...].joined(separator: ".")
            if rules.exceptions.contains(name) { return labels.count - start - 1 }
            if rules.names.contains(name) { return labels.count - start }
            if labels.count - start > 1, rules.names.contains("*." + labels[(start + 1)...].joined(separator: ".")) {
                return labels.count - start
            }
        }
        return 1
    }

    /// Returns true if the host is a public suffix. `host` is in lower case, with non-ASCII labels as `xn--`.
    public func isPublicSuffix(_ host: String) -> Bool {
        let labels = host.split(separator: ".")
        return !labels.isEmpty && suffixLength(labels) >= labels.count
    }

    /// Returns the public suffix with the label before it; nil for a public suffix itself and for an IP address.
    public func registrableDomain(_ host: String) -> String? {
        guard !CookieMatch.isAddress(host) else { return nil }
        let labels = host.split(separator: ".")
        let length = suffixLength(labels)
        return labels.count > length ? labels.suffix(length + 1).joined(separator: ".") : nil
    }
}
