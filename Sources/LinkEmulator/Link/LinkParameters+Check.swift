extension LinkParameters {
    /// Above a petabit per second one bit takes less than a millionth of a nanosecond.
    package static let highestRate: UInt64 = 1_000_000_000_000_000
    /// Keeps every sum of times far from overflow.
    package static let longestDuration: Int64 = 3_600_000_000_000
    /// Keeps amount times quantile far from overflow.
    package static let furthestQuantile = 1000.0
    /// A larger offset can only come from a damaged decision log.
    static let furthestOffset = Int64(furthestQuantile) * longestDuration

    /// Throws an error for the first invalid parameter.
    package static func check(_ parameters: LinkParameters) throws(LinkParameterError) {
        try checkShare(parameters.duplicate, "duplicate")
        try checkShare(parameters.reorder, "reorder")
        try checkShare(parameters.corrupt, "corrupt")
        try check(parameters.loss)
        if let rate = parameters.rate { try check(rate) }
        if let promotion = parameters.promotion {
            try checkDuration(promotion.delayNanoseconds, "promotion delay")
            try checkDuration(promotion.tailNanoseconds, "promotion tail")
        }
        if let bytes = parameters.queueBytes { try checkPositive(Int64(bytes), "queueBytes") }
        try checkPositive(Int64(parameters.queuePackets), "queuePackets")
        switch parameters.discipline {
        case .dropTail, .headDrop: break
        case .codel(let target, let interval):
            try checkPositive(target, "CoDel target")
            try checkDuration(target, "CoDel target")
            try checkPositive(interval, "CoDel interval")
            try checkDuration(interval, "CoDel interval")
        }
        if let mtu = parameters.mtu { try checkPositive(Int64(mtu), "mtu") }
        try checkDuration(parameters.delayNanoseconds, "delay")
        if let jitter = parameters.jitter {
            try checkDuration(jitter.amountNanoseconds, "jitter")
            if case .table(let quantiles) = jitter.distribution { try check(quantiles: quantiles) }
        }
        if let outages = parameters.outages { try check(outages) }
    }

    private static func check(_ loss: LossModel) throws(LinkParameterError) {
        switch loss {
        case .none, .packets: break
        case .independent(let share): try checkShare(share, "loss")
        case .gilbertElliott(let p, let r, let bad, let good):
            try checkShare(p, "loss p")
            try checkShare(r, "loss r")
            try checkShare(bad, "loss in the bad state")
            try checkShare(good, "loss in the good state")
        case .fourState(let p13, let p31, let p32, let p23, let p14):
            for (value, field) in [(p13, "p13"), (p31, "p31"), (p32, "p32"), (p23, "p23"), (p14, "p14")] {
                try checkShare(value, "loss \(field)")
            }
            // 0.3 + 0.7 must not fail because of the last bit of a Double.
            guard p13 + p14 <= 1 + 0x1p-50 else { throw .sharesExceedOne(fields: "loss p13 and p14", sum: p13 + p14) }
            guard p31 + p32 <= 1 + 0x1p-50 else { throw .sharesExceedOne(fields: "loss p31 and p32", sum: p31 + p32) }
        }
    }

    private static func check(_ rate: LinkRate) throws(LinkParameterError) {
        switch rate {
        case .constant(let bits): try check(bitsPerSecond: bits)
        case .bucket(let bits, let burst):
            try check(bitsPerSecond: bits)
            try checkPositive(Int64(burst), "burst")
            guard Double(burst) * 8e9 / Double(bits) <= Double(longestDuration) else {
                throw .burstTooLong(bytes: burst, bitsPerSecond: bits)
            }
        case .trace(let stamps):
            guard let last = stamps.last else { throw .traceEmpty }
            for position in stamps.indices.dropFirst() where stamps[position] < stamps[position - 1] {
                throw .traceOutOfOrder(position: position)
            }
            guard last > 0 else { throw .traceTakesNoTime }
        }
    }

    private static func check(bitsPerSecond: UInt64) throws(LinkParameterError) {
        guard bitsPerSecond > 0 else { throw .mustBePositive(field: "rate", value: 0) }
        guard bitsPerSecond <= highestRate else { throw .rateTooHigh(bitsPerSecond) }
    }

    private static func check(quantiles: [Double]) throws(LinkParameterError) {
        guard quantiles.count >= 2 else { throw .quantilesTooFew(quantiles.count) }
        for position in quantiles.indices {
            // A NaN fails the comparison too.
            guard quantiles[position].magnitude <= furthestQuantile else {
                throw .quantileOutsideRange(position: position, value: quantiles[position])
            }
            guard position == 0 || quantiles[position - 1] <= quantiles[position] else {
                throw .quantilesOutOfOrder(position: position)
            }
        }
    }

    private static func check(_ outages: OutagePattern) throws(LinkParameterError) {
        switch outages {
        case .periodic(let every, let lasting):
            try checkPositive(every, "outage period")
            try checkDuration(lasting, "outage")
            guard lasting < every else {
                throw .outageLongerThanPeriod(everyNanoseconds: every, lastingNanoseconds: lasting)
            }
        case .windows(let windows):
            var end: Int64 = 0
            for (position, window) in windows.enumerated() {
                guard window.fromNanoseconds >= 0 else {
                    throw .negative(field: "outage begin", value: window.fromNanoseconds)
                }
                try checkPositive(window.lastingNanoseconds, "outage")
                guard window.fromNanoseconds >= end else { throw .outagesOutOfOrder(position: position) }
                let (sum, overflow) = window.fromNanoseconds.addingReportingOverflow(window.lastingNanoseconds)
                guard !overflow else { throw .durationTooLong(field: "outage", nanoseconds: window.lastingNanoseconds) }
                end = sum
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
