import Record
import ScenarioLanguage
import LinkEmulator

/// The number of packets that an interface carries over the whole run, as the link counts them.
struct PacketsCheck: Check {
    static let key = "packets"
    static let summary = "The number of packets that the interface carries in this direction."
    static let shape = Shape.object(
        [
            Field("interface", .word(InterfaceKind.allCases.map(\.rawValue)), required: true, "The interface."),
            Field(
                "direction", .word(["uplink", "downlink", "both"]), required: true,
                "`uplink`: from the client, `downlink`: towards it, `both`: all of them."),
        ] + Bounds.shape("packets"))

    private let interface: InterfaceKind
    private let directions: [LinkDirectionName]
    private let bounds: Bounds

    init(_ fields: Fields) throws(ScenarioError) {
        guard let kind = InterfaceKind(rawValue: try fields.need("interface")) else {
            throw fields.error("interface", "`interface` is not an interface")
        }
        interface = kind
        directions =
            LinkDirectionName(rawValue: try fields.need("direction")).map { [$0] } ?? LinkDirectionName.allCases
        bounds = try Bounds(fields)
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let name = "\(interface.rawValue) \(directions.map(\.rawValue).joined(separator: " and "))"
        let expected = "\(bounds.description("packet")) on \(name)"
        var count: Int64 = 0
        var evidence: [RecordView.Moment] = []
        for direction in directions {
            guard let packets = record.packets(interface, direction) else {
                // An interface that does not exist carries no packets.
                if !record.hasInterface(interface) { continue }
                return mismatch(expected: expected, found: "the record does not contain the number")
            }
            count = count.plus(Int64(clamping: packets.count))
            evidence.append(packets.moment)
        }
        return bounds.contains(count) ? [] : mismatch(expected: expected, found: "\(count)", evidence: evidence)
    }
}
