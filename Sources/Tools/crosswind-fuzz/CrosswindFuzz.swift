import Foundation

/// Feeds seeded inputs to all code that reads bytes from outside.
@main enum CrosswindFuzz {
    static func main() {
        do {
            let options = try FuzzOptions(CommandLine.arguments.dropFirst())
            if options.wantsHelp { return print(FuzzOptions.help) }
            if options.isWorker, let target = options.targets.first { exit(FuzzWorker.play(target, options)) }
            exit(try FuzzParent(options: options, program: "/proc/self/exe").run())
        } catch let error as FuzzOptions.Misuse {
            FileHandle.standardError.write(Data("crosswind-fuzz: \(error.text)\n".utf8))
            exit(2)
        } catch {
            FileHandle.standardError.write(Data("crosswind-fuzz: \(error)\n".utf8))
            exit(2)
        }
    }
}
