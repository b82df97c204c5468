/// What the command line asks for.
struct BenchOptions {
    /// A smoke run: every figure once, over in seconds, its numbers worth little.
    private(set) var isQuick = false
    private var sections: [String] = []
    /// What to type to get the same table.
    let command: String

    static let known = ["lab", "packets", "tcp", "delay", "suite"]

    enum Misuse: Error, CustomStringConvertible {
        case unknown(String)
        var description: String {
            switch self {
            case .unknown(let word):
                "crosswind-bench: '\(word)' is neither --quick nor one of \(known.joined(separator: ", "))"
            }
        }
    }

    init(_ arguments: ArraySlice<String>) throws(Misuse) {
        command = (["crosswind-bench"] + arguments).joined(separator: " ")
        for argument in arguments {
            if argument == "--quick" {
                isQuick = true
            } else if Self.known.contains(argument) {
                sections.append(argument)
            } else {
                throw .unknown(argument)
            }
        }
    }

    func wants(_ section: String) -> Bool { sections.isEmpty || sections.contains(section) }
    func repetitions(_ full: Int) -> Int { isQuick ? 1 : full }
}
