import Scenario

extension StreamEffect {
    /// The effect in the words of a scenario file, for the record.
    var recorded: Labelled<Fault.Effect.Word> {
        switch self {
        case .goAway(let code, .this): Labelled(.goAway, code.name)
        case .goAway(let code, .before): Labelled(.goAway, "\(code.name), last before")
        case .goAway(let code, .number(let number)): Labelled(.goAway, "\(code.name), last \(number)")
        case .resetStream(let code): Labelled(.resetStream, code.name)
        case .settings(let settings):
            Labelled(.settings, settings.map { "\($0.name.description) \($0.value)" }.joined(separator: ", "))
        case .closeWindow: Labelled(.closeWindow)
        case .openWindow: Labelled(.openWindow)
        case .pingFlood(let count): Labelled(.pingFlood, "\(count)")
        case .frame(let frame):
            Labelled(.frame, "type \(frame.type), flags \(frame.flags), \(frame.payload.count) bytes")
        case .silence: Labelled(.silence)
        }
    }
}
