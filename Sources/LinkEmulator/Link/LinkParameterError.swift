/// What is wrong with a set of link parameters, and what would be allowed.
package enum LinkParameterError: Error, Hashable, Sendable, CustomStringConvertible {
    case probabilityOutsideRange(field: String, value: Double)
    case negative(field: String, value: Int64)
    case mustBePositive(field: String, value: Int64)
    case rateTooHigh(UInt64)
    case durationTooLong(field: String, nanoseconds: Int64)
    case outageLongerThanPeriod(everyNanoseconds: Int64, lastingNanoseconds: Int64)

    package var description: String {
        switch self {
        case .probabilityOutsideRange(let field, let value):
            "\(field) is \(value); give a share between 0 and 1"
        case .negative(let field, let value):
            "\(field) is \(value); give 0 or more"
        case .mustBePositive(let field, let value):
            "\(field) is \(value); give 1 or more, or leave it out"
        case .rateTooHigh(let rate):
            "the rate is \(rate) bit/s; give at most \(LinkParameters.highestRate), or leave it out for no limit"
        case .durationTooLong(let field, let nanoseconds):
            "\(field) is \(nanoseconds) ns; give at most \(LinkParameters.longestDuration) ns (one hour)"
        case .outageLongerThanPeriod(let every, let lasting):
            "an outage lasts \(lasting) ns of every \(every) ns; it must be shorter than its period (use isUp: false for a dead link)"
        }
    }
}

extension LinkParameters {
    /// Above a petabit per second one bit is less than a millionth of a nanosecond.
    package static let highestRate: UInt64 = 1_000_000_000_000_000
    /// Keeps every sum of times far from overflow.
    package static let longestDuration: Int64 = 3_600_000_000_000

    /// Throws the first thing that cannot be.
    package static func check(_ parameters: LinkParameters) throws(LinkParameterError) {
        try checkShare(parameters.duplicate, "duplicate")
        try checkShare(parameters.reorder, "reorder")
        try checkShare(parameters.corrupt, "corrupt")
        switch parameters.loss {
        case .none, .packets: break
        case .independent(let share): try checkShare(share, "loss")
        case .gilbertElliott(let p, let r, let bad, let good):
            try checkShare(p, "loss p")
            try checkShare(r, "loss r")
            try checkShare(bad, "loss in the bad state")
            try checkShare(good, "loss in the good state")
        }
        if let rate = parameters.rateBitsPerSecond {
            guard rate > 0 else { throw .mustBePositive(field: "rate", value: 0) }
            guard rate <= highestRate else { throw .rateTooHigh(rate) }
        }
        if let bytes = parameters.queueBytes { try checkPositive(Int64(bytes), "queueBytes") }
        try checkPositive(Int64(parameters.queuePackets), "queuePackets")
        if let mtu = parameters.mtu { try checkPositive(Int64(mtu), "mtu") }
        try checkDuration(parameters.delayNanoseconds, "delay")
        if let jitter = parameters.jitter { try checkDuration(jitter.amountNanoseconds, "jitter") }
        if let outages = parameters.outages {
            try checkPositive(outages.everyNanoseconds, "outage period")
            try checkDuration(outages.lastingNanoseconds, "outage")
            guard outages.lastingNanoseconds < outages.everyNanoseconds else {
                throw .outageLongerThanPeriod(
                    everyNanoseconds: outages.everyNanoseconds, lastingNanoseconds: outages.lastingNanoseconds)
            }
        }
    }

    private static func checkShare(_ value: Double, _ field: String) throws(LinkParameterError) {
        // A NaN fails the comparison too.
        guard value >= 0, value <= 1 else { throw .probabilityOutsideRange(field: field, value: value) }
    }
    private static func checkPositive(_ value: Int64, _ field: String) throws(LinkParameterError) {
        guard value > 0 else { throw .mustBePositive(field: field, value: value) }
    }
    private static func checkDuration(_ value: Int64, _ field: String) throws(LinkParameterError) {
        guard value >= 0 else { throw .negative(field: field, value: value) }
        guard value <= longestDuration else { throw .durationTooLong(field: field, nanoseconds: value) }
    }
}
