extension TaskMetrics: WireStructure {
    var wire: WireObject {
        var object = WireObject()
        object.set("redirects", redirects)
        object.set("length", length)
        object.set("transactions", list: transactions.map { .object($0.wire.values) })
        return object
    }

    init(_ fields: WireFields) throws(WireError) {
        var transactions: [Transaction] = []
        for entry in try fields.objects("transactions") { transactions.append(try Transaction(entry)) }
        self.init(
            redirects: try fields.count("redirects"), length: try fields.integer("length"), transactions: transactions)
    }
}

extension TaskMetrics.Transaction: WireStructure {
    var wire: WireObject {
        var times = WireObject()
        for (step, time) in self.times { times.set(step.rawValue, time) }
        var object = WireObject()
        object.set("source", source.rawValue)
        object.set("isReused", isReused)
        object.set("protocol", protocolName)
        object.set("times", times)
        object.set("bodyBytesSent", bodyBytesSent)
        object.set("bodyBytesReceived", bodyBytesReceived)
        object.set("bodyBytesDecoded", bodyBytesDecoded)
        return object
    }

    init(_ fields: WireFields) throws(WireError) {
        self.init()
        source = try fields.word("source", TaskMetrics.Source.self)
        isReused = try fields.boolean("isReused")
        protocolName = try fields.optional("protocol", fields.text)
        let dates = try fields.object("times")
        for step in TaskMetrics.Step.allCases where dates.has(step.rawValue) {
            times[step] = try dates.integer(step.rawValue)
        }
        bodyBytesSent = try fields.integer("bodyBytesSent")
        bodyBytesReceived = try fields.integer("bodyBytesReceived")
        bodyBytesDecoded = try fields.integer("bodyBytesDecoded")
    }
}
