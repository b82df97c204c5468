/// The random deviation of single packets from the link's delay.
package struct JitterModel: Hashable, Sendable {
    /// The distributions of netem, centred on the link's delay; a negative total becomes zero.
    package enum Distribution: Hashable, Sendable {
        /// Uniform within ± the amount.
        case uniform
        /// The amount is one standard deviation.
        case normal
        /// netem's table: (x − 1.5)·4/3 amounts for x Pareto-distributed with shape 3, cut at 4 amounts. Mean about zero,
        /// never below −2/3 of the amount, a long tail upwards.
        case pareto
        /// Quantiles from 0 to 1 at even steps, in amounts, joined by straight lines.
        case table([Double])
    }
    package var amountNanoseconds: Int64
    package var distribution: Distribution
    /// If false, a packet is never released before an earlier one.
    package var allowsReordering: Bool

    package init(amountNanoseconds: Int64, distribution: Distribution = .normal, allowsReordering: Bool = false) {
        self.amountNanoseconds = amountNanoseconds
        self.distribution = distribution
        self.allowsReordering = allowsReordering
    }
}
