/// A part of a sweep, from the command line or from the variables of a system that runs the parts.
package struct SweepShard: Hashable, Sendable {
    package let part: Int
    package let of: Int

    /// The variables with the number of the part, those with the number of parts, and the number of the first part.
    private static let variables: [(part: String, of: [String], first: Int)] = [
        ("CROSSWIND_SHARD", ["CROSSWIND_SHARDS"], 1),
        // An indexed Job of Kubernetes sets the index alone; the manifest passes the number of completions.
        ("JOB_COMPLETION_INDEX", ["JOB_COMPLETIONS"], 0),
        // GitLab CI; CircleCI; Buildkite; Semaphore.
        ("CI_NODE_INDEX", ["CI_NODE_TOTAL"], 1),
        ("CIRCLE_NODE_INDEX", ["CIRCLE_NODE_TOTAL"], 0),
        ("BUILDKITE_PARALLEL_JOB", ["BUILDKITE_PARALLEL_JOB_COUNT"], 0),
        ("SEMAPHORE_JOB_INDEX", ["SEMAPHORE_JOB_COUNT"], 1),
    ]

    /// Reads `i/n` with parts from 1, or `auto` for the first pair of variables that is set.
    package static func parse(_ text: String, environment: [String: String]) throws(SweepError) -> SweepShard {
        if text == "auto" { return try found(in: environment) }
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let part = numbers[0], let of = numbers[1], part >= 1, of >= part else {
            throw .shard("`\(text)` is not a shard; write 2/5 for the second of five parts, or auto")
        }
        return SweepShard(part: part, of: of)
    }

    private static func found(in environment: [String: String]) throws(SweepError) -> SweepShard {
        for (name, totals, first) in variables {
            guard let value = environment[name] else { continue }
            guard let total = totals.first(where: { environment[$0] != nil }), let given = environment[total] else {
                throw .shard("\(name) is set, but \(totals[0]), the number of shards, is not")
            }
            guard let number = Int(value), let of = Int(given), of >= 1, (first..<first + of).contains(number) else {
                throw .shard("\(name) is `\(value)` of \(total) `\(given)`, which is not a shard")
            }
            return SweepShard(part: number - first + 1, of: of)
        }
        throw .shard("--shard auto finds none of \(variables.map(\.part).joined(separator: ", ")) in the environment")
    }
}
