import ArgumentParser
import Foundation
import Lab
import Reports

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show the links and connections of a running lab.",
        discussion: """
            Twice a second: rate, median delay, loss and queue of each interface and direction over the last half second, the \
            program's TCP connections, the last requests and DNS queries, and the changes of the network. On a terminal this is a \
            screen with keys: w and c for Wi-Fi and cellular, n for NAT64, 1 to 9 for profiles, ? for help, q to leave. \
            Otherwise one line is printed for each direction. It ends with the lab. Exit status 3: no lab is running.
            """)

    @OptionGroup var live: RunningLab

    @Flag(help: "Print one table and exit.")
    var once = false

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Flag(help: "List the running labs and exit.")
    var list = false

    func run() throws {
        InteractiveLab.removeAbandonedSockets()
        if list { return try listLabs() }
        let client = try live.open()
        if Terminal.isOutput, !json, !once, try LiveScreen(lab: client.lab.id).run(client) != nil { return }
        let isTable = Terminal.isOutput && !json
        var drawn = 0
        while true {
            let reply = once || drawn == 0 ? try RunningLab.send(client, .watch) : next(client)
            guard case .view(let view)? = reply else {
                if reply == nil { return LabOptions.log("the lab has ended") }
                throw stop(Status.machine, "unexpected reply from the lab")
            }
            if json {
                Terminal.write(TerminalSanitizer.json(reply?.line ?? "") + "\n")
            } else if isTable, !once {
                let height = max(Terminal.height - 1, 10)
                let lines = WatchTable(connections: max(3, height - 2 * view.links.count - 7)).lines(view).prefix(
                    height)
                // The cursor at the top left, each line cut at the terminal's edge and cleared behind, then everything below.
                let text = lines.map {
                    TerminalSanitizer.cut(TerminalSanitizer.message($0), to: Terminal.width) + "\u{1B}[K\n"
                }.joined()
                Terminal.write((drawn == 0 ? "\u{1B}[2J" : "") + "\u{1B}[H" + text + "\u{1B}[J")
            } else {
                let table = WatchTable()
                print((once ? table.lines(view) : table.log(view)).joined(separator: "\n"))
            }
            drawn += 1
            if once { return }
        }
    }

    /// nil when the lab has ended in the meantime.
    private func next(_ client: ControlClient) -> ControlReply? {
        do throws(ControlError) { return try client.send(.watch) } catch { return nil }
    }

    private func listLabs() throws {
        let labs = ControlClient.labs()
        if labs.isEmpty { throw stop(Status.machine, "\(ControlError.noLab(nil))") }
        for lab in labs { print("\(lab.id)  \(lab.program)  (\(lab.engine) engine)") }
    }
}
