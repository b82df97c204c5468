import AdapterProtocol
import Scenario

/// The view as JSON. nil values are omitted, and unknown keys are ignored when reading.
extension LabDescription {
    var fields: [String: JSONValue] { ["id": .text(id), "program": .text(program), "engine": .text(engine)] }

    init(_ fields: [String: JSONValue]) throws(ControlError) {
        let fields = ControlFields(fields)
        self.init(id: try fields.text("id"), program: try fields.text("program"), engine: try fields.text("engine"))
    }
}

extension LabView {
    var fields: [String: JSONValue] {
        [
            "lab": .object(lab.fields), "age": .integer(age), "window": .integer(window),
            "links": .list(links.map { .object($0.fields) }),
            "connections": .list(connections.map { .object($0.fields) }),
        ]
    }

    init(_ values: [String: JSONValue]) throws(ControlError) {
        let fields = ControlFields(values)
        lab = try LabDescription(try fields.object("lab"))
        age = try fields.integer("age")
        window = try fields.integer("window")
        links = []
        for value in try fields.objects("links") { links.append(try Link(value)) }
        connections = []
        for value in try fields.objects("connections") { connections.append(try Connection(value)) }
    }
}

extension LabView.Link {
    fileprivate var fields: [String: JSONValue] {
        [
            "interface": .text(interface.rawValue), "state": .text(state.rawValue), "condition": .text(condition),
            "downlink": .object(downlink.fields), "uplink": .object(uplink.fields),
        ]
    }

    fileprivate init(_ values: [String: JSONValue]) throws(ControlError) {
        let fields = ControlFields(values)
        interface = try fields.word("interface")
        state = try fields.word("state")
        condition = try fields.text("condition")
        downlink = try LabView.Direction(try fields.object("downlink"))
        uplink = try LabView.Direction(try fields.object("uplink"))
    }
}

extension LabView.Direction {
    fileprivate var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "asked": .text(requested), "packets": .integer(Int64(clamping: packets)),
            "bytes": .integer(Int64(clamping: bytes)),
            "bitsPerSecond": .integer(Int64(clamping: bitsPerSecond)),
        ]
        fields["lost"] = lost.map { .integer(Int64(clamping: $0)) }
        fields["lossShare"] = lossShare.map { .number($0) }
        fields["delay"] = delay.map { .integer($0) }
        fields["queuedPackets"] = queuedPackets.map { .integer(Int64($0)) }
        fields["queuedBytes"] = queuedBytes.map { .integer(Int64($0)) }
        return fields
    }

    fileprivate init(_ values: [String: JSONValue]) throws(ControlError) {
        let fields = ControlFields(values)
        requested = try fields.text("asked")
        packets = UInt64(clamping: try fields.integer("packets"))
        bytes = UInt64(clamping: try fields.integer("bytes"))
        bitsPerSecond = UInt64(clamping: try fields.integer("bitsPerSecond"))
        lost = values["lost"]?.integer.map { UInt64(clamping: $0) }
        lossShare = values["lossShare"]?.number
        delay = values["delay"]?.integer
        queuedPackets = values["queuedPackets"]?.integer.map { Int(clamping: $0) }
        queuedBytes = values["queuedBytes"]?.integer.map { Int(clamping: $0) }
    }
}

extension LabView.Connection {
    fileprivate var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "state": .text(state), "local": .text(local), "remote": .text(remote), "resent": .integer(Int64(resent)),
            "sent": .integer(Int64(clamping: sent)), "received": .integer(Int64(clamping: received)),
            "waiting": .integer(Int64(waiting)),
        ]
        fields["roundTrip"] = roundTrip.map { .integer($0) }
        return fields
    }

    fileprivate init(_ values: [String: JSONValue]) throws(ControlError) {
        let fields = ControlFields(values)
        state = try fields.text("state")
        local = try fields.text("local")
        remote = try fields.text("remote")
        roundTrip = values["roundTrip"]?.integer
        resent = Int(clamping: try fields.integer("resent"))
        sent = UInt64(clamping: try fields.integer("sent"))
        received = UInt64(clamping: try fields.integer("received"))
        waiting = Int(clamping: try fields.integer("waiting"))
    }
}

/// The fields of a JSON object, read strictly.
private struct ControlFields {
    private let values: [String: JSONValue]
    init(_ values: [String: JSONValue]) { self.values = values }

    func text(_ name: String) throws(ControlError) -> String {
        guard let text = values[name]?.text else { throw .malformed("`\(name)` is not a text") }
        return text
    }
    func integer(_ name: String) throws(ControlError) -> Int64 {
        guard let integer = values[name]?.integer else { throw .malformed("`\(name)` is not a whole number") }
        return integer
    }
    func object(_ name: String) throws(ControlError) -> [String: JSONValue] {
        guard let object = values[name]?.object else { throw .malformed("`\(name)` is not an object") }
        return object
    }
    func objects(_ name: String) throws(ControlError) -> [[String: JSONValue]] {
        guard let list = values[name]?.list else { throw .malformed("`\(name)` is not a list") }
        return list.compactMap(\.object)
    }
    func word<Word: RawRepresentable>(_ name: String) throws(ControlError) -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: try text(name)) else { throw .malformed("`\(name)` has an unknown value") }
        return word
    }
}
