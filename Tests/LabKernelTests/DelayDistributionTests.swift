import Testing
@testable import LabKernel
@testable import NetworkMonitor

struct DelayDistributionTests {
    /// netem draws table entries uniformly, so the table's mean and deviation are those of the jitter. One jitter is 8192.
    @Test(arguments: [(DelayDistribution.uniform, 1 / 3.0.squareRoot()), (.normal, 1.0), (.pareto, 1.0)])
    func `the table has mean 0 and the deviation of its kind`(kind: DelayDistribution, deviation: Double) {
        let values = kind.table().map { Double($0) / 8192 }
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(values.count)
        #expect(values.count == 4096)
        #expect(abs(mean) < 0.001)
        #expect(abs(variance.squareRoot() - deviation) < 0.002)
    }

    @Test func `the normal quantiles match known values`() {
        #expect(abs(DelayDistribution.normalQuantile(0.975) - 1.959964) < 1e-5)
        #expect(abs(DelayDistribution.normalQuantile(0.5)) < 1e-9)
        #expect(abs(DelayDistribution.normalQuantile(0.025) + 1.959964) < 1e-5)
    }

    @Test(arguments: [.uniform, .normal, .pareto, .table([-1, 0, 9])] as [DelayDistribution])
    func `quantiles are ascending`(kind: DelayDistribution) {
        let table = kind.table()
        #expect(zip(table, table.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func `a table keeps its quantiles and scales the jitter if it exceeds 16 bits`() {
        let near = DelayDistribution.table([-1, 0, 0.5])
        #expect(near.stretch == 1)
        // The first quarter of the way is halfway between the first two quantiles.
        #expect(abs(Double(near.table()[1024]) / 8192 + 0.5) < 0.001)
        #expect(near.table().first.map { abs(Double($0) / 8192 + 1) < 0.001 } == true)
        let far = DelayDistribution.table([-1, 0, 16])
        #expect(far.stretch > 4 && far.stretch < 4.001)
        #expect(abs(Double(far.table()[3072]) / 8192 * far.stretch - 8) < 0.01)
    }
}
