import Scenario

extension StreamEffect {
    /// The effect in the words of a scenario file, for the record.
    var description: String {
        switch self {
        case .goAway(let code, .this): "goAway: \(code.name)"
        case .goAway(let code, .before): "goAway: \(code.name), last before"
        case .goAway(let code, .number(let number)): "goAway: \(code.name), last \(number)"
        case .resetStream(let code): "resetStream: \(code.name)"
        case .settings(let settings):
            "settings: " + settings.map { "\($0.name.description) \($0.value)" }.joined(separator: ", ")
        case .closeWindow: "closeWindow"
        case .openWindow: "openWindow"
        case .pingFlood(let count): "pingFlood: \(count)"
        case .frame(let frame): "frame: type \(frame.type), flags \(frame.flags), \(frame.payload.count) bytes"
        case .silence: "silence"
        }
    }
}
