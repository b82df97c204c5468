/// One measured quantity: its samples, its reference and its target.
struct Measurement {
    enum Unit: String {
        case milliseconds = "ms"
        case microseconds = "µs"
        case gigabits = "Gbit/s"
        case thousandPackets = "1000/s"
        case seconds = "s"
        case ratio = "×"
        case percent = "%"
        case count = ""
        case thousandRequests = "1000 req/s"
        case requests = "req/s"
        case megabits = "Mbit/s"
        case mebibytes = "MiB"
    }

    /// The target of the median on a machine with two idle processors.
    enum Target {
        case atLeast(Double)
        case atMost(Double)

        func isMet(by value: Double) -> Bool {
            switch self {
            case .atLeast(let bound): value >= bound
            case .atMost(let bound): value <= bound
            }
        }
    }

    let name: String
    let unit: Unit
    let samples: [Double]
    let target: Target?
    /// The reference from the same run: its name and its samples.
    var peer: (name: String, samples: [Double])?

    init(_ name: String, _ unit: Unit, _ samples: [Double], target: Target? = nil, against peer: Measurement? = nil) {
        self.name = name
        self.unit = unit
        self.samples = samples.sorted()
        self.target = target
        self.peer = peer.map { ($0.name, $0.samples) }
    }

    var median: Double { Self.median(samples) }

    /// The median divided by the reference's median.
    var ratio: Double? {
        guard let peer, let own = samples.isEmpty ? nil : median else { return nil }
        let other = Self.median(peer.samples)
        return other > 0 ? own / other : nil
    }

    private static func median(_ sorted: [Double]) -> Double { sorted.isEmpty ? 0 : sorted[sorted.count / 2] }
}
