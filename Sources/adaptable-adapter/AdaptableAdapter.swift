@_spi(Mutants) import AdaptableSession
import AdapterSupport
import Foundation

/// Drives AdaptableSession, or one of its mutants, for Crosswind.
@main
enum AdaptableAdapter {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.count) {
        case (nil, _): break
        case ("--mutants", 1):
            for mutant in SessionMutant.all { print(mutant.line) }
            return
        case ("--mutant", 2):
            guard let mutant = SessionMutant.all.first(where: { $0.name == arguments.last }) else {
                fail("cannot find the mutant \(arguments.last ?? ""); --mutants lists them")
            }
            mutant.change(&SessionPolicies.installed)
        default:
            fail(
                "usage: adaptable-adapter [--mutants | --mutant NAME]; without arguments it speaks the adapter protocol on standard input and output"
            )
        }
        CommandLoop.run(AdaptableImplementation())
    }

    private static func fail(_ reason: String) -> Never {
        FileHandle.standardError.write(Data("\(reason)\n".utf8))
        exit(2)
    }
}
