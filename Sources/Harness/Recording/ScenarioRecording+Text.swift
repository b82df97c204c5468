import AdapterProtocol
import Foundation
import Record
import ScenarioLanguage

extension ScenarioRecording {
    /// Returns the scenario file; `schema` is the path of the JSON Schema for editors.
    package func text(schema: String) -> String {
        let lines =
            [ScenarioTemplate.modeline(schema: schema)] + head + networkLines + Self.originLines + stepLines
            + timelineLines + checkLines
        let text = lines.joined(separator: "\n") + "\n"
        return (try? ScenarioFormatter.format(file: "recording", text: text)) ?? text
    }

    private var head: [String] {
        let name = (program.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "").filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
        }
        var lines = [
            YAMLText.comment("Recorded from: \(ShellWord.quoted(program))"),
            "# Change the title to the expected behaviour in one sentence. crosswind explain FILE explains each key.",
            "scenario: The requests of \(name.isEmpty ? "a program" : name) succeed while the network changes",
            "timeout: \(seconds)s",
        ]
        // A replay may repeat requests; the default limit is 50.
        if exchanges.count > 25 { lines.append("requestBudget: \(2 * exchanges.count)") }
        return lines
    }

    /// The time of the recording, and that of a request that gets no response (60 s), within the limit of one hour.
    private var seconds: Int64 { min(3600, duration / 1_000_000_000 * 2 + 90) }

    private var networkLines: [String] {
        (network?.writtenKeys ?? ["network:"] + interfaces.map { "  \($0.kind.rawValue): \($0.profile)" })
            + forwards.map { YAMLText.comment("Forwarded, and not in this file: --forward \($0)") }
    }

    /// The server of every interactive lab without a scenario.
    private static let originLines = [
        "# The lab's own server. Remove the routes that the steps do not use.", "origin:", "  tls: true",
        #"  /hello: { text: "hello\n", type: text/plain }"#, #"  /big: { size: 1MiB, etag: '"v1"' }"#,
        "  /slow: { size: 64KiB }", "  /echo: { echo: true }", "  /redirect: { redirect: /hello }",
        #"  /private: { text: "secret\n", type: application/octet-stream, basic: { user: ann, password: pw, realm: lab } }"#,
        "  faults:",
        "    - { at: { responseBody: 0 }, for: { path: /slow }, do: { throttle: 64kbit/s } }",
    ]

    // MARK: - Steps

    private var stepLines: [String] {
        var lines = ["# The requests that the program made, in order."]
        if omittedRequests > 0 {
            lines.append("# \(omittedRequests) of its requests are not in this file.")
        }
        lines.append("steps:")
        if tasks.isEmpty {
            lines += [
                "  # The lab's own server did not receive a request; this one is an example.", "  - data: /hello",
            ]
        }
        for (index, step) in steps.enumerated() {
            switch step {
            case .task(let task):
                lines += self.lines(of: task)
                if steps[(index + 1)...].first == .completion(task) { lines.append("    wait: true") }
            case .completion(let task):
                if index > 0, steps[index - 1] == .task(task) { continue }
                lines.append("  - await: \(Self.name(of: task)).didComplete")
            case .moment(let trigger, let orTasksEnd):
                lines.append("  - await: \(YAMLText.flow(trigger))")
                if orTasksEnd { lines.append("    orTasksEnd: true") }
            case .change(let change):
                if index > 0, case .change = steps[index - 1] {
                    lines.append(
                        "  # The server received no request between these changes. If the program was trying, move its step here."
                    )
                }
                lines.append("  - set: \(YAMLText.flow(change))")
            case .comment(let words): lines.append("  " + YAMLText.comment(words))
            }
        }
        return lines
    }

    /// The default name of a task.
    private static func name(of task: Int) -> String { "task\(task + 1)" }

    private func lines(of index: Int) -> [String] {
        let task = tasks[index]
        let isLarge = ByteCount(task.bodyBytes).map { $0 > BodyPlan.mostInMemory } ?? false
        var lines = ["  # \(Self.name(of: index)): \(outcome(of: task))"]
        lines.append("  - \(isLarge ? "upload" : "data"): \(YAMLText.scalar(task.url))")
        if task.method != "GET" { lines.append("    method: \(YAMLText.scalar(task.method))") }
        if !task.headers.isEmpty {
            let fields = task.headers.map { "\(YAMLText.scalar($0.name)): \(YAMLText.quoted($0.value))" }
            lines.append("    headers: { \(fields.joined(separator: ", ")) }")
        }
        if task.bodyBytes > 0 {
            lines.append("    body: { size: \(task.bodyBytes)\(isLarge ? ", from: file" : "") }")
        }
        if task.hasCredentials {
            lines.append("    # The program's own credentials are not recorded.")
            if task.url.hasSuffix("/private") { lines.append("    challenge: { user: ann, password: pw }") }
        }
        if isUnfollowedRedirect(task) { lines.append("    redirect: refuse") }
        return lines
    }

    private func isUnfollowedRedirect(_ task: Task) -> Bool {
        guard let exchange = exchanges[task.request], let status = exchange.status else { return false }
        return (300..<400).contains(status) && exchange.location != nil
    }

    private func outcome(of task: Task) -> String {
        guard let exchange = exchanges[task.request], let status = exchange.status else { return "no response" }
        let bytes = "\(exchange.sent) bytes of the body"
        return exchange.hasEnded
            ? "status \(status), \(bytes) sent" : "status \(status), only \(bytes) sent: the response was not complete"
    }

    // MARK: - Timeline and checks

    private var timelineLines: [String] {
        let missing = leftOut.map { YAMLText.comment("Not in this file: \($0)") }
        let ofNetwork = network?.writtenChanges(within: .seconds(seconds)) ?? []
        if timeline.isEmpty, ofNetwork.isEmpty { return missing }
        let title = timeline.isEmpty ? [] : ["# Each change comes at the progress at which it was made."]
        return missing + title + ["timeline:"] + ofNetwork.map { "  - \($0)" }
            + timeline.flatMap { entry in
                ["  - when: \(YAMLText.flow(entry.trigger))", "    set: \(YAMLText.flow(entry.change))"]
            }
    }

    private var checkLines: [String] {
        let statuses = tasks.map { exchanges[$0.request]?.status ?? 200 }
        let lines = ["# The expected behaviour, not what was recorded: add what else must hold.", "expect:"]
        guard statuses.contains(where: { $0 >= 400 }) else { return lines + ["  - succeeds: all"] }
        return lines
            + statuses.enumerated().flatMap { task, status in
                ["  - completes: { task: \(Self.name(of: task)), error: none }"]
                    + (status < 400 ? [] : ["  - response: { task: \(Self.name(of: task)), status: \(status) }"])
            }
    }
}
