import AdapterProtocol
import LinkEmulator

extension NetworkFact {
    var object: RecordObject {
        switch self {
        case .interfaceState(let kind, let state):
            RecordObject("interfaceState").with("interface", kind.rawValue).with("state", state.rawValue)
        case .conditionRequested(let kind, let direction, let text):
            RecordObject("conditionAsked").with("interface", kind.rawValue).with("direction", direction.rawValue)
                .with("text", text)
        case .conditionMeasured(let kind, let direction, let measured):
            RecordObject("conditionMeasured").with("interface", kind.rawValue).with("direction", direction.rawValue)
                .with("means", measured.means.rawValue).with("packets", measured.packets).with("lost", measured.lost)
                .with("delayMinimum", measured.delayMinimum).with("delayMedian", measured.delayMedian)
                .with("delayMaximum", measured.delayMaximum).with("bitsPerSecond", measured.bitsPerSecond)
                .with("lateness", measured.lateness).with("text", measured.text)
        case .packet(let kind, let direction, let index, let length, let fate, let summary):
            RecordObject("packet").with("interface", kind.rawValue).with("direction", direction.rawValue).with(
                "number", index
            )
            .with("length", length).with("fate", fate).with("summary", summary)
        case .packetCounts(let kind, let direction, let packets, let bytes):
            RecordObject("packetCounts").with("interface", kind.rawValue).with("direction", direction.rawValue)
                .with("packets", packets).with("bytes", bytes)
        case .interfaceChanged(let kind, let text):
            RecordObject("interfaceChanged").with("interface", kind.rawValue).with("text", text)
        case .dnsService(let text): RecordObject("nameService").with("text", text)
        }
    }

    /// Returns nil if the kind is not a network fact.
    init?(_ fields: RecordFields) throws(RecordError) {
        func interface() throws(RecordError) -> InterfaceKind { try fields.word("interface", InterfaceKind.self) }
        func direction() throws(RecordError) -> LinkDirectionName {
            try fields.word("direction", LinkDirectionName.self)
        }
        switch fields.kind {
        case "interfaceState": self = .interfaceState(try interface(), try fields.word("state", InterfaceState.self))
        case "conditionAsked": self = .conditionRequested(try interface(), try direction(), try fields.text("text"))
        case "conditionMeasured":
            self = .conditionMeasured(
                try interface(), try direction(),
                Measurement(
                    means: try fields.word("means", Measurement.Means.self), packets: try fields.int("packets"),
                    lost: try fields.int("lost"), delayMinimum: try fields.optional("delayMinimum", fields.integer),
                    delayMedian: try fields.optional("delayMedian", fields.integer),
                    delayMaximum: try fields.optional("delayMaximum", fields.integer),
                    bitsPerSecond: try fields.optional("bitsPerSecond", fields.unsigned),
                    lateness: try fields.optional("lateness", fields.integer), text: try fields.text("text")))
        case "packet":
            self = .packet(
                try interface(), try direction(), index: try fields.unsigned("number"),
                length: try fields.int("length"),
                fate: try fields.text("fate"), summary: try fields.text("summary"))
        case "packetCounts":
            self = .packetCounts(
                try interface(), try direction(), packets: try fields.unsigned("packets"),
                bytes: try fields.unsigned("bytes"))
        case "interfaceChanged": self = .interfaceChanged(try interface(), try fields.text("text"))
        case "nameService": self = .dnsService(try fields.text("text"))
        default: return nil
        }
    }
}
