import ArgumentParser
import Foundation
import Harness
import Scenario

struct ExecCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Run any program inside a lab with the origin up.",
        discussion: """
            Every host name resolves to the origin, which answers on http and https with /hello, /big (1 MiB, ranges, ETag), \
            /slow (64 KiB at 64 kbit/s), /echo, /redirect and /private (Basic, user ann, password pw); the lab's certificate \
            authority is trusted. The exit status is the program's.

            Example: crosswind exec --condition flaky-wifi -- curl -sv http://api.test/big -o /dev/null
            """)

    @Option(help: "Name of a profile: \(ProfileCatalogue.all.map(\.name).joined(separator: ", ")).")
    var condition = "good-wifi"

    @Option(help: "wifi, cellular or wired.")
    var interface: InterfaceKind = .wifi

    @Option(help: "auto, emulator or kernel.")
    var engine: EngineChoice = .auto

    @Option(help: "Seed of every random decision.")
    var seed: UInt64 = 1

    @Option(help: "Write a packet capture (pcapng) to this file.", completion: .file())
    var capture: String?

    @Argument(parsing: .postTerminator, help: "The program and its arguments, after --.")
    var command: [String]

    func validate() throws {
        if command.isEmpty { throw ValidationError("give a program after --, as in: crosswind exec --condition lte -- curl http://api.test/hello") }
        if ProfileCatalogue.named(condition) == nil {
            throw ValidationError("there is no profile `\(condition)`; known are \(ProfileCatalogue.all.map(\.name).joined(separator: ", "))")
        }
    }

    func run() throws {
        try stopping { try Privilege.acquire() }
        guard let profile = ProfileCatalogue.named(condition) else { return }
        let status = try stopping {
            try LabSession.perform(
                profile: profile, interface: interface, engine: engine, seed: seed, capture: capture, command: command,
                say: { FileHandle.standardError.write(Data("crosswind: \($0)\n".utf8)) })
        }
        throw ExitCode(status)
    }
}

extension InterfaceKind: ExpressibleByArgument {}
