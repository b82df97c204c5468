/// An invalid link parameter and the values allowed in its place.
package enum LinkParameterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The probabilities of leaving one state add up to more than one.
    case sharesExceedOne(fields: String, sum: Double)
    case periodTooShort(field: String, nanoseconds: Int64)
    case negative(field: String, value: Int64)
    case mustBePositive(field: String, value: Int64)
    case rateTooHigh(UInt64)
    case burstTooLong(bytes: Int, bitsPerSecond: UInt64)
    case durationTooLong(field: String, nanoseconds: Int64)
    case outageLongerThanPeriod(everyNanoseconds: Int64, lastingNanoseconds: Int64)
    case outagesOutOfOrder(position: Int)
    case quantilesTooFew(Int)
    case quantilesOutOfOrder(position: Int)
    case quantileOutsideRange(position: Int, value: Double)

    package var description: String {
        switch self {
        case .sharesExceedOne(let fields, let sum):
            "\(fields) add up to \(sum); together they can be at most 1"
        case .periodTooShort(let field, let nanoseconds):
            "the \(field) lasts \(nanoseconds) ns on average; give at least \(LinkParameters.shortestPeriod) ns (1 ms)"
        case .negative(let field, let value):
            "\(field) is \(value); give 0 or more"
        case .mustBePositive(let field, let value):
            "\(field) is \(value); give 1 or more, or leave it out"
        case .rateTooHigh(let rate):
            "the rate is \(rate) bit/s; give at most \(LinkParameters.highestRate), or leave it out for no limit"
        case .burstTooLong(let bytes, let rate):
            "a burst of \(bytes) bytes takes more than an hour to save up at \(rate) bit/s; give a smaller burst or a higher rate"
        case .durationTooLong(let field, let nanoseconds):
            "\(field) is \(nanoseconds) ns; give at most \(LinkParameters.longestDuration) ns (one hour)"
        case .outageLongerThanPeriod(let every, let lasting):
            "an outage lasts \(lasting) ns of every \(every) ns; it must be shorter than its period (use isUp: false for a dead link)"
        case .outagesOutOfOrder(let position):
            "outage \(position) begins before the previous one ends; give them in order, without overlap"
        case .quantilesTooFew(let count): "the table of jitter has \(count) quantiles; give at least 2"
        case .quantilesOutOfOrder(let position):
            "quantile \(position) of the jitter is less than the one before it; give them in ascending order"
        case .quantileOutsideRange(let position, let value):
            "quantile \(position) of the jitter is \(value); give a number within ±\(Int(LinkParameters.furthestQuantile)) amounts"
        }
    }
}
