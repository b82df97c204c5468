import ScenarioLanguage

/// `count: 3`, or `atLeast:` and `atMost:`; the common fields of every counting check.
struct Bounds: Hashable, Sendable {
    var exactly: Int64?
    var atLeast: Int64?
    var atMost: Int64?

    static func shape(_ what: String, exactly name: String = "count") -> [Field] {
        let number = Shape.integer(0...Int64(1_000_000_000_000))
        return [
            Field(name, number, "Exactly this many \(what)."),
            Field("atLeast", number, "At least this many \(what)."),
            Field("atMost", number, "At most this many \(what)."),
        ]
    }

    init(_ fields: Fields, exactly name: String = "count") throws(ScenarioError) {
        exactly = fields.integer(name)
        atLeast = fields.integer("atLeast")
        atMost = fields.integer("atMost")
        if exactly != nil, atLeast != nil || atMost != nil {
            throw fields.error(name, "`\(name)` is an exact number; leave `atLeast` and `atMost` out")
        }
        if exactly == nil, atLeast == nil, atMost == nil {
            throw fields.error(name, "a number is missing: give `\(name)`, `atLeast` or `atMost`")
        }
        if let atLeast, let atMost, atLeast > atMost {
            throw fields.error("atLeast", "`atLeast` \(atLeast) is more than `atMost` \(atMost)")
        }
    }

    /// Returns nil if the check gives no number.
    init?(ifGiven fields: Fields, exactly name: String = "count") throws(ScenarioError) {
        guard [name, "atLeast", "atMost"].contains(where: fields.has) else { return nil }
        try self.init(fields, exactly: name)
    }

    func contains(_ value: Int64) -> Bool {
        if let exactly { return value == exactly }
        return value >= atLeast ?? .min && value <= atMost ?? .max
    }

    /// Returns the bounds with a noun: "exactly 1 request", "at least 2 requests".
    func description(_ noun: String, plural: String? = nil) -> String {
        let last = exactly ?? atMost ?? atLeast
        return "\(description) \(last == 1 ? noun : plural ?? noun + "s")"
    }

    var description: String {
        if let exactly { return "exactly \(exactly)" }
        switch (atLeast, atMost) {
        case (let least?, let most?): return "\(least) to \(most)"
        case (let least?, nil): return "at least \(least)"
        case (nil, let most?): return "at most \(most)"
        case (nil, nil): return "any number"
        }
    }
}
