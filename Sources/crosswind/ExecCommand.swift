import ArgumentParser
import Foundation
import Lab

struct ExecCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Run any program inside a lab with the origin up.",
        discussion: """
            Every host name resolves to the origin, which serves these paths on http and https: /hello, /big (1 MiB, ranges, ETag), \
            /slow (64 KiB at 64 kbit/s), /echo, /redirect and /private (Basic, user ann, password pw); the lab's certificate \
            authority is trusted. From another terminal, `crosswind set` changes the network and `crosswind watch` shows it. The \
            exit status is the program's. A test suite changes its own network through the socket in $CROSSWIND_CONTROL; there are \
            libraries for Swift (CrosswindControl), Python, Node and Go.

            Example: crosswind exec --network flaky-wifi -- curl -sv http://api.test/big -o /dev/null
            """)

    @OptionGroup var lab: LabOptions

    @Argument(parsing: .postTerminator, help: "The program and its arguments, after --.")
    var command: [String]

    func validate() throws {
        if command.isEmpty {
            throw ValidationError(
                "give a program after --, as in: crosswind exec --network lte -- curl http://api.test/hello")
        }
    }

    func run() throws {
        try lab.perform({ _ in InteractiveLabProgram(command: command) }, reportingMeasurements: true)
    }
}
