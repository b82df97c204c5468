package import AdapterProtocol
import Record
import ScenarioLanguage

/// Converts the words after `crosswind set` into the object that scenarios have under `set:`.
///
/// `wifi down`, `wifi lte loss=5%`, `wifi rate=1Mbit/s delay=80ms`, `wifi uplink.rate=200kbit/s`, `dns
/// slow.test=nxdomain`, `wifi flapping.times=3 flapping.downFor=1s flapping.upFor=2s`, `renumber wifi`, `connections
/// wifi end=drop`; a separate comma starts another change. The lab validates the result with the reader of scenarios.
package enum SetCommandParser {
    package static func read(_ words: [String]) throws(ControlError) -> JSONValue {
        var change: [String: JSONValue] = [:]
        for part in parts(of: words) {
            guard let subject = part.first else {
                throw .malformed("two commas without a change between them; remove one of them")
            }
            let rest = Array(part.dropFirst())
            guard !rest.isEmpty else { throw .malformed(lack(of: subject)) }
            if let new = RenamedWords.replacement(for: subject, among: ["dns"]) {
                throw .malformed("`\(subject)` was renamed to `\(new)`")
            }
            if change[subject] != nil { throw .malformed("`\(subject)` is changed twice; keep one of them") }
            switch subject {
            case "nat64":
                guard rest.count == 1, let isOn = ["on": true, "off": false][rest[0]] else {
                    throw .malformed("nat64 is on or off: crosswind set nat64 on")
                }
                change[subject] = .boolean(isOn)
            case "dns": change[subject] = try names(rest)
            case "renumber": change[subject] = .list(rest.map { .text($0) })
            case "connections": change[subject] = try connections(rest)
            default:
                guard InterfaceKind(rawValue: subject) != nil else {
                    throw .malformed(
                        "`\(subject)` cannot be changed; choose one of \(InterfaceKind.allCases.map(\.rawValue).joined(separator: ", ")), nat64, dns, renumber and connections"
                    )
                }
                change[subject] = try interface(rest)
            }
        }
        if change.isEmpty { throw .malformed("name a change, for example: crosswind set wifi down") }
        return .object(change)
    }

    private static func parts(of words: [String]) -> [[String]] {
        words.split(separator: ",", omittingEmptySubsequences: false).map(Array.init).filter { _ in !words.isEmpty }
    }

    private static func lack(of subject: String) -> String {
        switch subject {
        case "nat64": "write on or off, for example: crosswind set nat64 on"
        case "dns": "name a host and its reply, for example: crosswind set dns slow.test=nxdomain"
        case "renumber": "name an interface, for example: crosswind set renumber wifi"
        case "connections":
            "name an interface and how its connections end, for example: crosswind set connections wifi end=drop"
        default: "name a change of \(subject), for example: crosswind set \(subject) down"
        }
    }

    /// Returns a single word as text; several words become an object with `profile`, `state`, `both`, `downlink` and
    /// `uplink`.
    private static func interface(_ words: [String]) throws(ControlError) -> JSONValue {
        if words.count == 1, !words[0].contains("=") { return .text(words[0]) }
        var object: [String: JSONValue] = [:]
        var conditions: [String: [String: JSONValue]] = [:]
        for word in words {
            guard let (key, value) = pair(word) else {
                let field = InterfaceState(rawValue: word) == nil ? "profile" : "state"
                if object[field] != nil { throw .malformed("`\(word)` is a second \(field); keep one of them") }
                object[field] = .text(word)
                continue
            }
            let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            if path.count > 1,
                let new = RenamedWords.replacement(for: path[0], among: ["uplink", "downlink", "flapping"])
            {
                throw .malformed("`\(path[0])` was renamed to `\(new)`")
            }
            if path.count == 1, ["state", "profile", "expensive", "constrained"].contains(key) {
                object[key] = scalar(value)
            } else if path.count > 1, ["uplink", "downlink", "both", "flapping"].contains(path[0]) {
                conditions[path[0], default: [:]][path.dropFirst().joined(separator: ".")] = scalar(value)
            } else {
                conditions["both", default: [:]][key] = scalar(value)
            }
        }
        for (direction, effects) in conditions { object[direction] = .object(nested(effects)) }
        return .object(object)
    }

    /// Converts `queue.bytes=64KiB` into `queue: { bytes: 64KiB }`.
    private static func nested(_ effects: [String: JSONValue]) -> [String: JSONValue] {
        var object: [String: JSONValue] = [:]
        for (key, value) in effects.sorted(by: { $0.key < $1.key }) {
            guard let dot = key.firstIndex(of: ".") else {
                object[key] = value
                continue
            }
            let outer = String(key[..<dot])
            let inner = nested([String(key[key.index(after: dot)...]): value])
            object[outer] = .object(
                (object[outer]?.object ?? [:]).merging(inner) { old, new in
                    guard let old = old.object, let new = new.object else { return new }
                    return .object(old.merging(new) { $1 })
                })
        }
        return object
    }

    private static func names(_ words: [String]) throws(ControlError) -> JSONValue {
        var rules: [String: JSONValue] = [:]
        var delay: String?
        for word in words {
            guard let (host, reply) = pair(word) else {
                throw .malformed("`\(word)` is not a name with a reply; write for example slow.test=nxdomain")
            }
            if host == "delay" {
                delay = reply
                continue
            }
            // Addresses are recognised by their characters; the reader of scenarios validates words.
            let isAddresses = reply.contains(where: { $0 == "." || $0 == ":" })
            rules[host] = isAddresses ? .list(reply.split(separator: ",").map { .text(String($0)) }) : .text(reply)
        }
        guard let delay else { return .object(rules) }
        if rules.isEmpty {
            throw .malformed(
                "name the hosts whose replies take \(delay), for example: crosswind set dns '*=origin' delay=\(delay)")
        }
        return .object(rules.mapValues { .object(["reply": $0, "delay": .text(delay)]) })
    }

    private static func connections(_ words: [String]) throws(ControlError) -> JSONValue {
        var cut: [String: JSONValue] = [:]
        for word in words {
            if let (key, value) = pair(word) { cut[key] = scalar(value) } else { cut["on"] = .text(word) }
        }
        return .object(cut)
    }

    private static func pair(_ word: String) -> (String, String)? {
        guard let equals = word.firstIndex(of: "=") else { return nil }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }

    /// Plain numbers and booleans are not texts in the scenario language.
    private static func scalar(_ text: String) -> JSONValue {
        if let number = Int64(text) { return .integer(number) }
        switch text {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: return .text(text)
        }
    }
}
