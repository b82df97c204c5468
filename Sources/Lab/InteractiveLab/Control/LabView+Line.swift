import Record
package import AdapterProtocol

/// The fields of a control message.
typealias ControlFields = JSONFields<ControlError>

extension ControlError: JSONFieldError {
    package static func missing(_ field: String, in kind: String, expected: String) -> ControlError {
        wrongType(field, in: kind, expected: expected)
    }
    package static func wrongType(_ field: String, in kind: String, expected: String) -> ControlError {
        .malformed("`\(field)` is not \(expected == "object" ? "an" : "a") \(expected)")
    }
    package static func unknownWord(_ word: String, _ field: String, in kind: String, allowed: [String]) -> ControlError
    {
        .malformed("`\(field)` has an unknown value")
    }
}

/// The view as JSON. nil values are omitted, and unknown keys are ignored when reading.
extension LabDescription: JSONConvertible {
    package var json: JSONValue {
        JSONObject().with("id", id).with("program", program).with("engine", engine)
            .with("interfaces", interfaces.isEmpty ? nil : interfaces.map(\.rawValue))
            .with("requests", requests.isEmpty ? nil : requests).json
    }

    init(_ fields: ControlFields) throws(ControlError) {
        self.init(
            id: try fields.text("id"), program: try fields.text("program"), engine: try fields.text("engine"),
            // A later version may have more kinds.
            interfaces: (try fields.optional("interfaces", fields.texts) ?? []).compactMap(
                InterfaceKind.init(rawValue:)),
            requests: try fields.optional("requests", fields.texts) ?? [])
    }
}

extension LabView: JSONConvertible {
    package var json: JSONValue {
        JSONObject().with("lab", lab).with("age", age).with("window", window).with("links", links)
            .with("connections", connections)
            .with("requests", requests.isEmpty ? nil : requests).with("queries", queries.isEmpty ? nil : queries)
            .with("changes", changes.isEmpty ? nil : changes).with("nat64", nat64).json
    }

    init(_ fields: ControlFields) throws(ControlError) {
        lab = try LabDescription(try fields.object("lab"))
        age = try fields.integer("age")
        window = try fields.integer("window")
        links = []
        for value in try fields.objects("links") { links.append(try Link(value)) }
        connections = []
        for value in try fields.objects("connections") { connections.append(try Connection(value)) }
        // A lab of an earlier version omits these.
        if fields.has("requests") {
            for value in try fields.objects("requests") { requests.append(try Request(value)) }
        }
        if fields.has("queries") { for value in try fields.objects("queries") { queries.append(try Query(value)) } }
        if fields.has("changes") { for value in try fields.objects("changes") { changes.append(try Change(value)) } }
        nat64 = try fields.optional("nat64", fields.boolean)
    }
}

extension LabView.Link: JSONConvertible {
    package var json: JSONValue {
        JSONObject().with("interface", interface.rawValue).with("state", state.rawValue).with("condition", condition)
            .with("downlink", downlink).with("uplink", uplink).json
    }

    fileprivate init(_ fields: ControlFields) throws(ControlError) {
        interface = try fields.word("interface")
        state = try fields.word("state")
        condition = try fields.text("condition")
        downlink = try LabView.Direction(try fields.object("downlink"))
        uplink = try LabView.Direction(try fields.object("uplink"))
    }
}

extension LabView.Direction: JSONConvertible {
    package var json: JSONValue {
        JSONObject().with("asked", requested).with("packets", packets).with("bytes", bytes)
            .with("bitsPerSecond", bitsPerSecond).with("lost", lost).with("lossShare", lossShare)
            .with("delay", delay).with("queuedPackets", queuedPackets).with("queuedBytes", queuedBytes).json
    }

    fileprivate init(_ fields: ControlFields) throws(ControlError) {
        requested = try fields.text("asked")
        packets = try fields.whole("packets")
        bytes = try fields.whole("bytes")
        bitsPerSecond = try fields.whole("bitsPerSecond")
        lost = try fields.optional("lost", fields.whole)
        lossShare = try fields.optional("lossShare", fields.number)
        delay = try fields.optional("delay", fields.integer)
        queuedPackets = try fields.optional("queuedPackets", fields.whole)
        queuedBytes = try fields.optional("queuedBytes", fields.whole)
    }
}

extension LabView.Connection: JSONConvertible {
    package var json: JSONValue {
        JSONObject().with("state", state).with("local", local).with("remote", remote).with("roundTrip", roundTrip)
            .with("resent", resent).with("sent", sent).with("received", received).with("waiting", waiting).json
    }

    fileprivate init(_ fields: ControlFields) throws(ControlError) {
        state = try fields.text("state")
        local = try fields.text("local")
        remote = try fields.text("remote")
        roundTrip = try fields.optional("roundTrip", fields.integer)
        resent = try fields.whole("resent")
        sent = try fields.whole("sent")
        received = try fields.whole("received")
        waiting = try fields.whole("waiting")
    }
}

extension LabView.Request: JSONConvertible {
    package var json: JSONValue {
        JSONObject().with("number", number).with("age", age).with("method", method).with("target", target)
            .with("status", status).with("bytes", bytes).with("complete", isComplete ? true : nil)
            .with("fault", fault).json
    }

    fileprivate init(_ fields: ControlFields) throws(ControlError) {
        number = try fields.whole("number")
        age = try fields.integer("age")
        method = try fields.text("method")
        target = try fields.text("target")
        status = try fields.optional("status", fields.whole)
        bytes = try fields.optional("bytes", fields.integer)
        isComplete = fields.has("complete")
        fault = try fields.optional("fault", fields.text)
    }
}

extension LabView.Query: JSONConvertible {
    package var json: JSONValue {
        JSONObject().with("age", age).with("host", host).with("type", type).with("reply", reply).json
    }

    fileprivate init(_ fields: ControlFields) throws(ControlError) {
        age = try fields.integer("age")
        host = try fields.text("host")
        type = try fields.text("type")
        reply = try fields.text("reply")
    }
}

extension LabView.Change: JSONConvertible {
    package var json: JSONValue { JSONObject().with("age", age).with("text", text).json }

    fileprivate init(_ fields: ControlFields) throws(ControlError) {
        age = try fields.integer("age")
        text = try fields.text("text")
    }
}
