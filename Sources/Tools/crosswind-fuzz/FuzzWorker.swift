import Foundation

/// Processes the inputs of one target and prints its progress, so that the parent knows where it died.
struct FuzzWorker {
    /// The number of inputs that share state.
    static let stretch: UInt64 = 1000

    static func play(_ target: any FuzzTarget.Type, _ options: FuzzOptions) -> Int32 { play(type: target, options) }

    private static func play<Target: FuzzTarget>(type: Target.Type, _ options: FuzzOptions) -> Int32 {
        var number = options.from
        var taken = 0
        let end = options.from + options.count
        while number < end {
            report("at \(number)")
            var target = Target()
            let stop = min(number + stretch, end)
            while number < stop {
                var random = FuzzRandom(seed: options.seed, number: number)
                do throws(FuzzFinding) { if try target.play(&random) { taken += 1 } } catch {
                    report("finding in input \(number): \(error)")
                    return 1
                }
                number += 1
            }
        }
        report("at \(end)")
        report("taken \(taken)")
        return 0
    }

    private static func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
