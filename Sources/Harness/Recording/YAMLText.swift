import AdapterProtocol
import Foundation
import ScenarioLanguage
import Yams

/// The parts of a scenario file that is written by this program.
enum YAMLText {
    /// Returns a comment of one line. YAML 1.1 has more line ends than ASCII, and refuses control characters.
    static func comment(_ words: String) -> String {
        let shown = words.unicodeScalars.prefix(200).map { scalar -> Character in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: "?"
            default: Character(scalar)
            }
        }
        return "# " + String(shown)
    }

    static func flow(_ trigger: Trigger) -> String {
        let text = try? Yams.serialize(node: trigger.written, width: -1)
        return (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static func flow(_ value: JSONValue) -> String {
        switch value {
        case .text(let text): inFlow(text)
        case .list(let values): "[\(values.map(flow).joined(separator: ", "))]"
        case .object(let fields):
            "{ "
                + fields.sorted { $0.key < $1.key }.map { "\(inFlow($0.key)): \(flow($0.value))" }
                .joined(separator: ", ") + " }"
        case .null, .boolean, .integer, .number: value.line
        }
    }

    /// Colons are quoted, because not all readers accept them in plain scalars of flow collections.
    static func inFlow(_ text: String) -> String { text.contains(":") ? quoted(text) : scalar(text) }

    /// Returns a plain scalar where it keeps its type, and else a quoted one.
    static func scalar(_ text: String) -> String {
        let isPlain = text.wholeMatch(of: #/[A-Za-z0-9\/][A-Za-z0-9\/._~:?=&%+-]*/#) != nil && !text.hasSuffix(":")
        let hasType =
            Double(text) != nil || ["true", "false", "null", "yes", "no", "on", "off"].contains(text.lowercased())
        return isPlain && !hasType ? text : quoted(text)
    }

    /// A JSON string is a double-quoted scalar of YAML.
    static func quoted(_ text: String) -> String { JSONValue.text(text).line }
}
