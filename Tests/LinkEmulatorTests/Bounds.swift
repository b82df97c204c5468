/// Bounds that a correct implementation meets with the stated probability; seeds are fixed, so the result never
/// changes.
enum Bounds {
    /// Standard deviations of the two-sided 99.9 % interval of a normal variable.
    static let z = 3.2905

    /// Returns the 99.9 % interval of the number of successes in `n` draws; `inflation` multiplies the variance of
    /// dependent draws.
    static func binomial(_ share: Double, _ n: Int, inflation: Double = 1) -> ClosedRange<Double> {
        let mean = share * Double(n)
        let spread = z * (mean * (1 - share) * inflation).squareRoot()
        return mean - spread...mean + spread
    }

    /// Returns the 99.9 % interval of a χ² variable (Wilson and Hilferty's approximation).
    static func chiSquare(degrees: Int) -> ClosedRange<Double> {
        let k = Double(degrees)
        func quantile(_ z: Double) -> Double {
            let root = 1 - 2 / (9 * k) + z * (2 / (9 * k)).squareRoot()
            return k * root * root * root
        }
        return quantile(-z)...quantile(z)
    }

    /// Returns the 99.9 % bound of the distance between the empirical and the true distribution (Kolmogorov).
    static func kolmogorovSmirnov(_ n: Int) -> Double { 1.9495 / Double(n).squareRoot() }

    static func distance(_ sample: [Double], _ distribution: (Double) -> Double) -> Double {
        let sorted = sample.sorted()
        var greatest = 0.0
        for (rank, value) in sorted.enumerated() {
            let expected = distribution(value)
            greatest = max(greatest, abs(expected - Double(rank) / Double(sorted.count)))
            greatest = max(greatest, abs(Double(rank + 1) / Double(sorted.count) - expected))
        }
        return greatest
    }
}
