extension ProgressReading {
    func put(into line: inout WireObject) {
        line.set("completed", completed)
        line.set("total", total)
        line.set("fraction", number: fraction)
        line.set("isCancelled", isCancelled)
        line.set("isPaused", isPaused)
        line.set("description", description)
        line.set("additionalDescription", additionalDescription)
        line.set("joint", number: joint)
    }

    init(_ fields: WireFields) throws(WireError) {
        self.init(
            completed: try fields.integer("completed"), total: try fields.integer("total"),
            fraction: try fields.number("fraction"))
        isCancelled = try fields.boolean("isCancelled")
        isPaused = try fields.boolean("isPaused")
        description = try fields.optional("description", fields.text)
        additionalDescription = try fields.optional("additionalDescription", fields.text)
        joint = try fields.optional("joint", fields.number)
    }
}
