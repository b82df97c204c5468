import AdapterSupport
import Foundation

/// Drives AdaptableSession for Crosswind.
@main
enum AdaptableAdapter {
    static func main() {
        switch AdapterArguments(CommandLine.arguments) {
        case .session(let policies): CommandLoop.run(AdaptableImplementation(policies))
        case .mutantList: for mutant in SessionMutant.all { print(mutant.line) }
        case .wrong(let reason):
            FileHandle.standardError.write(Data("\(reason)\n".utf8))
            exit(2)
        }
    }
}
