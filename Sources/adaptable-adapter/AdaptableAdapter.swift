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
            guard let lines = MutantDaemon.lines() else { fail("adaptable-transferd is not beside this program") }
            print(lines, terminator: "")
            return
        case ("--mutant", 2):
            let name = arguments.last ?? ""
            if let mutant = SessionMutant.all.first(where: { $0.name == name }) {
                mutant.change(&SessionPolicies.installed)
                CommandLoop.run(AdaptableImplementation(), mutant.interception)
            } else {
                useDaemon(name)
            }
        default:
            fail(
                "usage: adaptable-adapter [--mutants | --mutant NAME]; without arguments it speaks the adapter protocol on standard input and output"
            )
        }
        CommandLoop.run(AdaptableImplementation())
    }

    private static func useDaemon(_ mutant: String) {
        guard mutant.hasPrefix("daemon-") else { fail("cannot find the mutant \(mutant); --mutants lists them") }
        do { try MutantDaemon.use(mutant) } catch { fail("cannot use the mutant \(mutant): \(error)") }
    }

    private static func fail(_ reason: String) -> Never {
        FileHandle.standardError.write(Data("\(reason)\n".utf8))
        exit(2)
    }
}
