/// The options of the command line.
struct BenchOptions {
    /// A smoke run: every measurement once, finished in seconds, with inaccurate numbers.
    private(set) var isQuick = false
    /// Runs `truth` for the kernel engine as well, under a user-mode kernel that has netem.
    private(set) var withNetem = false
    /// Runs `truth` for the kernel engine instead of the emulator; used under that kernel.
    private(set) var measuresKernel = false
    private var sections: [String] = []
    /// The command line that produces the same table.
    let command: String

    static let known = [
        "lab", "packets", "tcp", "delay", "truth", "peers", "memory", "origin", "session", "suite", "transfers",
    ]

    enum Misuse: Error, CustomStringConvertible {
        case unknown(String)
        var description: String {
            switch self {
            case .unknown(let word):
                "crosswind-bench: '\(word)' is neither --quick, --netem, --kernel nor one of \(known.joined(separator: ", "))"
            }
        }
    }

    init(_ arguments: ArraySlice<String>) throws(Misuse) {
        command = (["crosswind-bench"] + arguments).joined(separator: " ")
        for argument in arguments {
            switch argument {
            case "--quick": isQuick = true
            case "--netem": withNetem = true
            case "--kernel": measuresKernel = true
            case _ where Self.known.contains(argument): sections.append(argument)
            default: throw .unknown(argument)
            }
        }
    }

    func wants(_ section: String) -> Bool { sections.isEmpty || sections.contains(section) }
    func repetitions(_ full: Int) -> Int { isQuick ? 1 : full }
}
