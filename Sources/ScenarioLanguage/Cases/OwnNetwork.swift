import Record

/// The place at which a scenario's file fixes its network, so that it cannot run on others.
///
/// These do: the key `network`; a `dns` reply other than `origin`; a `set` of anything but origin, proxies, power, disk and clock; a
/// moment that counts packets or bytes of a link; the checks `packets` and `link`, and `waits` until an interface; and a
/// session or task that may not use cellular networks.
package struct OwnNetwork: Hashable, Sendable, CustomStringConvertible {
    package var place: Place
    /// The words of the file, such as `network` or `set: wifi`.
    package var words: String

    package var description: String { "line \(place.line): `\(words)`" }

    /// Returns the first such place; nil if the scenario can run on any network.
    static func find(in root: Document.Node) -> OwnNetwork? {
        for (key, value) in root.pairs {
            guard let name = key.text else { continue }
            switch name {
            case "network": return OwnNetwork(place: key.place, words: name)
            case "dns":
                if let rule = value.pairs.first(where: { $0.value.text != "origin" }) {
                    return OwnNetwork(place: rule.key.place, words: "dns: \(rule.key.text ?? "")")
                }
            case "session":
                if let found = forbidden(in: value) { return found }
            case "sessions":
                for session in value.pairs { if let found = forbidden(in: session.value) { return found } }
            case "steps", "timeline":
                for step in value.elements { if let found = fixed(by: step) { return found } }
            case "expect":
                for check in value.elements { if let found = fixed(byCheck: check) { return found } }
            default: break
            }
        }
        return nil
    }

    private static func fixed(by step: Document.Node) -> OwnNetwork? {
        if let found = forbidden(in: step) ?? (step["configure"] == nil ? nil : step["with"].flatMap(forbidden)) {
            return found
        }
        if let change = step["set"]?.pairs.first(where: {
            !["proxies", "origin", "power", "battery", "disk", "clock"].contains($0.key.text)
        }) {
            return OwnNetwork(place: change.key.place, words: "set: \(change.key.text ?? "")")
        }
        for moment in ["when", "await"].compactMap({ step[$0] }) {
            for word in ["packet", "wireBytes"] {
                if let value = moment[word] { return OwnNetwork(place: value.place, words: word) }
            }
        }
        return nil
    }

    private static func fixed(byCheck check: Document.Node) -> OwnNetwork? {
        for (key, value) in check.pairs {
            guard let name = key.text else { continue }
            if ["packets", "link"].contains(name) { return OwnNetwork(place: key.place, words: name) }
            if name == "waits", let until = value["until"], let word = until.text,
                InterfaceKind(rawValue: word) != nil
            {
                return OwnNetwork(place: until.place, words: "waits: \(word)")
            }
        }
        return nil
    }

    private static func forbidden(in settings: Document.Node) -> OwnNetwork? {
        let bans = ["allowsCellularAccess", "allowsExpensiveNetworkAccess", "allowsConstrainedNetworkAccess"]
        for (key, value) in settings.pairs {
            guard let name = key.text, bans.contains(name), value.text?.lowercased() == "false" else { continue }
            return OwnNetwork(place: key.place, words: "\(name): false")
        }
        return nil
    }
}
