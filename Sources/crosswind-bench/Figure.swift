/// One measured quantity: its samples, and what it is to be read against.
struct Figure {
    enum Unit: String { case milliseconds = "ms", microseconds = "µs", gigabits = "Gbit/s", thousandPackets = "1000/s", seconds = "s", ratio = "×" }

    let name: String
    let unit: Unit
    let samples: [Double]
    /// The figure of the same run that this one is compared with: its name and its samples.
    var peer: (name: String, samples: [Double])?

    init(_ name: String, _ unit: Unit, _ samples: [Double], against peer: Figure? = nil) {
        self.name = name
        self.unit = unit
        self.samples = samples.sorted()
        self.peer = peer.map { ($0.name, $0.samples) }
    }

    var median: Double { Self.median(samples) }

    /// Median against median.
    var ratio: Double? {
        guard let peer, let own = samples.isEmpty ? nil : median else { return nil }
        let other = Self.median(peer.samples)
        return other > 0 ? own / other : nil
    }

    private static func median(_ sorted: [Double]) -> Double { sorted.isEmpty ? 0 : sorted[sorted.count / 2] }
}
