extension LinkEffect.Jitter.Distribution {
    /// Returns the deviation of one packet in units of the amount, for a uniform `draw` in 0 ..< 1.
    func deviation(_ draw: Double) -> Double {
        switch self {
        case .uniform: 2 * draw - 1
        case .normal: InverseNormal.value(draw)
        case .pareto: min(4, (1 / cubeRoot(1 - draw) - 1.5) * 4 / 3)
        case .table(let quantiles): Self.interpolated(quantiles, draw)
        }
    }

    private static func interpolated(_ quantiles: [Double], _ draw: Double) -> Double {
        let place = draw * Double(quantiles.count - 1)
        let below = min(Int(place), quantiles.count - 2)
        return quantiles[below] + (quantiles[below + 1] - quantiles[below]) * (place - Double(below))
    }
}

/// Returns the cube root of a number in 2⁻⁵³ … 1. The module does not import Foundation, so Newton's iteration replaces `cbrt`.
func cubeRoot(_ x: Double) -> Double {
    // x = m·8^k with m in 1 ..< 8, so the first guess is within a factor of two and five rounds reach full precision.
    let exponent = Int(x.exponent)
    let k = (exponent - (((exponent % 3) + 3) % 3)) / 3
    let m = x * Double(sign: .plus, exponent: -3 * k, significand: 1)
    var root = 1 + (m - 1) / 7
    for _ in 0..<5 { root -= (root * root * root - m) / (3 * root * root) }
    return root * Double(sign: .plus, exponent: k, significand: 1)
}

/// Returns the natural logarithm of a positive normal number, by the series of atanh around 1.
func naturalLogarithm(_ x: Double) -> Double {
    // With the significand in √½ … √2 the series variable stays below 0.172, and eleven terms exceed double precision.
    var significand = x.significand
    var exponent = Double(x.exponent)
    if significand > 1.4142135623730951 {
        significand /= 2
        exponent += 1
    }
    let t = (significand - 1) / (significand + 1)
    let square = t * t
    var sum = 0.0
    for term in stride(from: 21.0, through: 1.0, by: -2.0) { sum = sum * square + 1 / term }
    return exponent * 0.6931471805599453 + 2 * t * sum
}

/// The quantile function of the standard normal distribution (P. J. Acklam's rational approximation, relative error
/// below 1.15·10⁻⁹).
enum InverseNormal {
    static func value(_ draw: Double) -> Double {
        let p = max(draw, 0x1p-54)
        if p < lowTail { return tail((-2 * naturalLogarithm(p)).squareRoot()) }
        if p > 1 - lowTail { return -tail((-2 * naturalLogarithm(1 - p)).squareRoot()) }
        let q = p - 0.5
        let r = q * q
        let top =
            (((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.3577518672690) * r
                - 30.66479806614716) * r + 2.506628277459239)
        let bottom =
            (((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r
                - 13.28068155288572) * r + 1)
        return top * q / bottom
    }

    private static let lowTail = 0.02425

    private static func tail(_ q: Double) -> Double {
        let top =
            ((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q
                + 4.374664141464968) * q + 2.938163982698783
        let bottom =
            (((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1
        return top / bottom
    }
}
