/// What the command line asks for.
struct FuzzOptions {
    var targets: [any FuzzTarget.Type] = []
    var count: UInt64 = 10_000_000
    var seed: UInt64 = 1
    var from: UInt64 = 0
    /// Play in this process; what the parent starts for each target.
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

            Plays seeded inputs, near to right ones and far from them, to everything that reads bytes from outside. Ends with 0 when
            nothing trapped, hung or broke its word, with 1 otherwise, and then says how to have the finding again.
            Build it with the address sanitizer (scripts/fuzz does).

              --count N   inputs for each target (\(FuzzOptions().count))
              --seed N    other inputs (1)
              --from N    the number of the first input (0); a multiple of \(FuzzWorker.stretch)
              --quick     \(quickCount) inputs for each target

            Targets; all without any:
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
                    throw Misuse(text: "'\(word)' is no target and no option; see crosswind-fuzz --help")
                }
                targets.append(target)
            }
        }
        if targets.isEmpty { targets = FuzzTargets.all }
        guard count > 0 else { throw Misuse(text: "--count 0 plays nothing") }
        guard from.isMultiple(of: FuzzWorker.stretch) else {
            throw Misuse(text: "--from \(from) is no multiple of \(FuzzWorker.stretch), where the targets begin anew")
        }
    }

    private static func number(after word: String, _ rest: inout ArraySlice<String>) throws(Misuse) -> UInt64 {
        guard let text = rest.popFirst(), let number = UInt64(text), number <= UInt64(Int64.max) else {
            throw Misuse(text: "\(word) needs a number")
        }
        return number
    }
}
