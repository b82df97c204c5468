import AdaptableSession

/// The mode of the adapter: the correct session, one of its mutants, or a list of the mutants.
enum AdapterArguments {
    case session(SessionPolicies)
    case mutantList
    case wrong(String)

    init(_ arguments: [String]) {
        switch arguments.count {
        case 1: self = .session(SessionPolicies())
        case 2 where arguments[1] == "--mutants": self = .mutantList
        case 3 where arguments[1] == "--mutant":
            guard let mutant = SessionMutant.all.first(where: { $0.name == arguments[2] }) else {
                self = .wrong("the mutant \(arguments[2]) does not exist; --mutants lists all")
                return
            }
            var policies = SessionPolicies()
            mutant.change(&policies)
            self = .session(policies)
        default:
            self = .wrong(
                "usage: adaptable-adapter [--mutants | --mutant NAME]; without arguments it speaks the adapter protocol on standard input and output"
            )
        }
    }
}
