package import DNSMessages

/// The type of a service, `_http._tcp` (RFC 6763 §7, RFC 6335 §5.1).
package struct ServiceType: Hashable, Sendable, CustomStringConvertible {
    /// The name of the application protocol without the underscore, in lower case.
    package let application: String
    /// `tcp` or `udp`.
    package let transport: String

    /// Parses a type, with or without a trailing dot. Returns nil unless the application's name has 1 to 15 letters,
    /// digits and hyphens.
    package init?(_ text: String) {
        let labels = (text.hasSuffix(".") ? text.dropLast() : text[...])
            .split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 2, labels.allSatisfy({ $0.hasPrefix("_") }) else { return nil }
        let (application, transport) = (labels[0].dropFirst().lowercased(), labels[1].dropFirst().lowercased())
        guard transport == "tcp" || transport == "udp", (1...15).contains(application.utf8.count),
            application.utf8.allSatisfy({ $0 == 0x2d || (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) })
        else { return nil }
        (self.application, self.transport) = (application, transport)
    }

    package var description: String { "_\(application)._\(transport)" }

    /// The name whose PTR records list the instances: `_http._tcp.local`.
    package var dnsName: DNSName {
        DNSName(labels: ["_" + application, "_" + transport, "local"].map { Array($0.utf8) })
    }

    /// The name whose PTR records list the types of a link (RFC 6763 §9).
    package static let listing = DNSName(labels: ["_services", "_dns-sd", "_udp", "local"].map { Array($0.utf8) })
}

/// One published service: its name as users see it, and its type (RFC 6763 §4.1). The domain is `local`.
package struct ServiceInstance: Hashable, Sendable, CustomStringConvertible {
    package let name: String
    package let type: ServiceType

    /// Returns nil unless the name has 1 to 63 bytes of UTF-8 without control characters.
    package init?(name: String, type: ServiceType) {
        guard (1...63).contains(name.utf8.count), name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
        (self.name, self.type) = (name, type)
    }

    /// Reads the target of a PTR record; nil if it is not an instance of `type`.
    package init?(_ target: DNSName, of type: ServiceType) {
        guard target.labels.count == 4, DNSName(labels: Array(target.labels.dropFirst())).folded == type.dnsName.folded,
            let name = String(validating: target.labels[0], as: UTF8.self)
        else { return nil }
        self.init(name: name, type: type)
    }

    package var dnsName: DNSName { DNSName(labels: [Array(name.utf8)] + type.dnsName.labels) }

    package var description: String { "\(name).\(type).local" }

    /// The instance with the next name after a conflict: `Printer`, `Printer (2)`, `Printer (3)` (RFC 6763 appendix D).
    package var renamed: ServiceInstance {
        let (stem, number) = Self.numbered(name, " (", ")")
        let suffix = " (\(number + 1))"
        var short = stem
        while short.utf8.count + suffix.utf8.count > 63 { short.removeLast() }
        return ServiceInstance(name: short + suffix, type: type) ?? self
    }

    /// Returns the host name after a conflict: `host`, `host-2`, `host-3`. `label` has 63 bytes at most.
    package static func renamedHost(_ label: String) -> String {
        let (stem, number) = numbered(label, "-", "")
        let suffix = "-\(number + 1)"
        var short = stem
        while short.utf8.count + suffix.utf8.count > 63 { short.removeLast() }
        return short + suffix
    }

    /// Splits a name into its stem and its number, which is 1 without one.
    private static func numbered(_ name: String, _ before: String, _ after: String) -> (String, Int) {
        guard name.hasSuffix(after), let start = name.range(of: before, before: name.endIndex),
            let number = Int(name[start.upperBound...].dropLast(after.count)), (2..<1_000_000).contains(number)
        else { return (name, 1) }
        return (String(name[..<start.lowerBound]), number)
    }
}

extension String {
    /// The last occurrence of `text`.
    fileprivate func range(of text: String, before end: Index) -> Range<Index>? {
        var place = end
        while place > startIndex {
            place = index(before: place)
            if self[place...].hasPrefix(text) { return place..<index(place, offsetBy: text.count) }
        }
        return nil
    }
}
