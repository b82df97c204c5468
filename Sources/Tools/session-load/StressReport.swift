import Foundation

/// The result of a run: the violations found, and the measurements. A violation makes the program end with status 1.
struct StressReport {
    let text: String
    let violations: [String]

    init(url: URL, large: URL, count: Int, seed: UInt64) {
        let stress = CancellationStress(url: url, large: large, count: count)
        var random = SplitMix(seed: seed)
        // After this many tasks the pools, caches and threads have reached their full size.
        let first = min(10_000, max(1, count / 10))
        let lifecycle = stress.lifecycle()
        var span = 2 * (lifecycle ?? 0)
        var hangs = lifecycle == nil || !stress.run(first, &random, span: &span)
        let before = ProcessStatistics()
        if !hangs, count > first { hangs = !stress.run(count - first, &random, span: &span) }
        let left = hangs ? nil : stress.tasksLeft()
        let after = ProcessStatistics()
        stress.end()
        let counts = stress.tally.now
        var found: [String] = []
        if hangs { found.append("a task did not complete within a minute") }
        if !hangs, left != 0 { found.append("the session still has tasks: \(left.map(String.init) ?? "no result")") }
        if counts.completedTwice > 0 { found.append("\(counts.completedTwice) second completions") }
        if counts.callbacksAfterCompletion > 0 {
            found.append("\(counts.callbacksAfterCompletion) callbacks after the completion")
        }
        if counts.failed > 0 { found.append("\(counts.failed) tasks failed, the first: \(counts.firstFailure ?? "?")") }
        // The number of idle connections varies within the pool's limit.
        if after.descriptors > before.descriptors + CancellationStress.connections {
            found.append("\(after.descriptors - before.descriptors) descriptors more than after the first \(first)")
        }
        if after.partialFiles > before.partialFiles {
            found.append("\(after.partialFiles - before.partialFiles) partial files left")
        }
        // The smallest object that a task could leave behind is larger; in a short run the allocator's variation is
        // larger still.
        let perTask = (after.heapBytes - before.heapBytes) / max(1, count - first)
        if count >= 20_000, perTask > 16 { found.append("\(perTask) bytes of heap retained per task") }
        if count >= 20_000, after.residentMebibytes > before.residentMebibytes + 16 {
            found.append("resident memory grew by \(after.residentMebibytes - before.residentMebibytes) MiB")
        }
        violations = found
        text = """
            {"tasks":\(count),"lifeMicroseconds":\(lifecycle ?? -1),"cancelled":\(counts.cancelled),"succeeded":\(counts.succeeded),"failed":\(counts.failed),\
            "resumed":\(counts.resumed),"completedTwice":\(counts.completedTwice),"heardAfterwards":\(counts.callbacksAfterCompletion),\
            "after":\(first),"first":\(before.json),"last":\(after.json),"heapBytesPerTask":\(perTask)}
            """
    }
}
