/// The options of the command line.
struct FuzzOptions {
    var targets: [any FuzzTarget.Type] = []
    var count: UInt64 = 10_000_000
    var seed: UInt64 = 1
    var from: UInt64 = 0
    /// Run in this process; the parent starts one such process for each target.
    var isWorker = false
    var wantsHelp = false

    static let quickCount: UInt64 = 100_000

    struct Misuse: Error { let text: String }

    static var help: String {
        let width = FuzzTargets.all.map { $0.name.count }.max() ?? 0
        let targets = FuzzTargets.all.map {
            "  \($0.name)\(String(repeating: " ", count: width - $0.name.count))  \($0.subject)"
        }
        return """
            crosswind-fuzz [TARGET…] [--count N] [--seed N] [--from N] [--quick]

            Runs all code that reads bytes from outside on seeded inputs, nearly valid ones and random ones. Ends with 0 if nothing
            trapped, hung or violated a check, otherwise with 1, and then prints how to reproduce the finding.
            Build it with the address sanitizer (scripts/fuzz does).

              --count N   inputs for each target (\(FuzzOptions().count))
              --seed N    the seed of the inputs (1)
              --from N    the number of the first input (0); a multiple of \(FuzzWorker.stretch)
              --quick     \(quickCount) inputs for each target

            Targets (default: all):
            \(targets.joined(separator: "\n"))
            """
    }

    init() {}

    init(_ arguments: some Sequence<String>) throws(Misuse) {
        var rest = Array(arguments)[...]
        while let word = rest.popFirst() {
            switch word {
            case "--count": count = try FuzzOptions.number(after: word, &rest)
            case "--seed": seed = try FuzzOptions.number(after: word, &rest)
            case "--from": from = try FuzzOptions.number(after: word, &rest)
            case "--quick": count = FuzzOptions.quickCount
            case "--worker": isWorker = true
            case "--help", "-h": wantsHelp = true
            default:
                guard let target = FuzzTargets.all.first(where: { $0.name == word }) else {
                    throw Misuse(text: "'\(word)' is neither a target nor an option; see crosswind-fuzz --help")
                }
                targets.append(target)
            }
        }
        if targets.isEmpty { targets = FuzzTargets.all }
        guard count > 0 else { throw Misuse(text: "--count 0 runs nothing; give 1 or more") }
        guard from.isMultiple(of: FuzzWorker.stretch) else {
            throw Misuse(
                text: "--from \(from) is not a multiple of \(FuzzWorker.stretch), at which the targets restart")
        }
    }

    private static func number(after word: String, _ rest: inout ArraySlice<String>) throws(Misuse) -> UInt64 {
        guard let text = rest.popFirst(), let number = UInt64(text), number <= UInt64(Int64.max) else {
            throw Misuse(text: "\(word) needs a number")
        }
        return number
    }
}
