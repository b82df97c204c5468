import Glibc

/// The distribution of jitter, as the table of quantiles that netem draws from.
package enum DelayDistribution: Equatable, Sendable {
    /// Uniform within the jitter on both sides.
    case uniform
    /// The jitter is the standard deviation.
    case normal
    /// Mostly slightly early, sometimes very late: Pareto with shape 3, truncated at 4 deviations, one deviation being
    /// the jitter.
    case pareto
    /// Quantiles from 0 to 1 at even steps, in units of the jitter, joined by straight lines; at least two, ascending.
    case table([Double])

    /// netem represents one jitter as 8192 (NETEM_DIST_SCALE).
    static let scale = 8192.0
    static let size = 4096

    /// Returns `size` quantiles, in units of jitter / 8192, ascending.
    func table() -> [Int16] {
        switch self {
        case .uniform: Self.uniformTable
        case .normal: Self.normalTable
        case .pareto: Self.paretoTable
        case .table(let quantiles): Self.rounded(Self.midpoints.map { Self.interpolated(quantiles, $0) / stretch })
        }
    }

    /// The factor for the jitter given to netem: if a table exceeds the range of 16 bits, its entries are smaller by
    /// this factor.
    package var stretch: Double {
        switch self {
        case .uniform, .normal, .pareto: 1
        case .table(let quantiles): max(1, quantiles.reduce(0) { max($0, $1.magnitude) } / Self.reach)
        }
    }

    private static func interpolated(_ quantiles: [Double], _ share: Double) -> Double {
        let place = share * Double(quantiles.count - 1)
        let below = min(Int(place), quantiles.count - 2)
        return quantiles[below] + (quantiles[below + 1] - quantiles[below]) * (place - Double(below))
    }

    // Computed once: a condition may change many times within one run.
    private static let uniformTable = rounded(midpoints.map { 2 * $0 - 1 })
    private static let normalTable = rounded(midpoints.map(normalQuantile))
    private static let paretoTable = rounded(standardised(midpoints.map { pow(1 - $0, -1.0 / 3) }))

    private static let midpoints = (0..<size).map { (Double($0) + 0.5) / Double(size) }

    /// The largest value that 16 bits can represent.
    private static let reach = Double(Int16.max) / scale

    private static func rounded(_ quantiles: [Double]) -> [Int16] {
        quantiles.map { Int16(clamping: Int(($0 * scale).rounded())) }
    }

    /// Shifts and scales the values to mean 0 and deviation 1, although the tail is truncated at the range of 16 bits.
    private static func standardised(_ values: [Double]) -> [Double] {
        var values = values
        for _ in 0..<50 {
            let cut = values.map { min($0, reach) }
            let mean = cut.reduce(0, +) / Double(size)
            let deviation = (cut.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(size)).squareRoot()
            values = values.map { ($0 - mean) / deviation }
        }
        return values
    }

    /// Returns the quantile `probability` of the standard normal distribution. By bisection: the error function is
    /// monotonic, and 60 steps exhaust a Double.
    static func normalQuantile(_ probability: Double) -> Double {
        var low = -9.0
        var high = 9.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if 0.5 * erfc(-middle / 2.0.squareRoot()) < probability { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
