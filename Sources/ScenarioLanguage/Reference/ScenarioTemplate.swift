/// A new scenario for a kind of task, a network and a fault, with comments that explain each part.
package struct ScenarioTemplate: Hashable, Sendable {
    package enum Task: String, CaseIterable, Hashable, Sendable { case data, download, upload }

    /// The thing that goes wrong.
    package enum Fault: String, CaseIterable, Hashable, Sendable {
        case none
        case connectionLost = "connection-lost"
        case silence
        case serverError = "server-error"
        case offline
        case hostNotFound = "host-not-found"
        case certificate
    }

    package var task: Task
    /// The name of a profile; nil: the scenario runs on any network.
    package var network: String?
    package var fault: Fault

    package init(task: Task, network: String?, fault: Fault) {
        self.task = task
        self.network = network
        self.fault = fault
    }

    /// The name of a file for it.
    package var fileName: String {
        ([task.rawValue] + (fault == .none ? [] : [fault.rawValue]) + (network.map { ["on", $0] } ?? []))
            .joined(separator: "-") + ".yaml"
    }

    /// Returns the file; `schema` is the path of the JSON Schema for editors.
    package func text(schema: String) -> String {
        ([Self.modeline(schema: schema)] + head + networkLines + originLines + sessionLines + stepLines + timelineLines
            + checkLines).joined(separator: "\n") + "\n"
    }

    /// The comment by which the YAML language server finds the schema.
    package static func modeline(schema: String) -> String { "# yaml-language-server: $schema=\(schema)" }

    private var interface: String { network.map(BuiltInNetworks.cellular.contains) == true ? "cellular" : "wifi" }

    private var head: [String] {
        [
            "# The expected behaviour in one sentence. crosswind run FILE runs it; crosswind explain FILE explains each key.",
            "scenario: \(title)",
            "# The longest the run may take; a client that hangs fails here.", "timeout: 60s",
        ]
    }

    private var title: String {
        let noun = task == .data ? "A request" : task == .download ? "A download" : "An upload"
        return switch fault {
        case .none: "\(noun) succeeds"
        case .connectionLost: "\(noun) whose connection is lost ends with an error"
        case .silence: "\(noun) without a response ends with the request timeout"
        case .serverError: "\(noun) that gets the status 503 is not repeated"
        case .offline: "\(noun) waits without a network and succeeds when it returns"
        case .hostNotFound: "\(noun) to a host that does not exist ends with an error"
        case .certificate: "\(noun) to a server with an expired certificate ends with an error"
        }
    }

    private var networkLines: [String] {
        if fault == .offline {
            return [
                "# The interface is down at first.", "network:",
                "  \(interface): { profile: \(network ?? "good-wifi"), state: down }",
            ]
        }
        guard let network else {
            return ["# Without `network:` it runs on every network: crosswind run FILE --network lte,edge"]
        }
        return ["# crosswind profiles \(network) draws this profile.", "network:", "  \(interface): \(network)"]
    }

    private var originLines: [String] {
        var lines: [String] = []
        if fault == .hostNotFound {
            lines += ["# The DNS servers deny that this name exists.", "dns:", "  gone.test: nxdomain"]
        }
        lines += ["# The server: each path is a route, and each fault happens at an exact place.", "origin:"]
        if fault == .certificate { lines.append("  tls: { certificate: expired }") }
        lines.append(task == .upload ? "  /file: { text: \"received\" }" : "  /file: { size: 256KiB }")
        let faults: String? =
            switch fault {
            case .none, .offline, .hostNotFound, .certificate: nil
            case .connectionLost:
                task == .upload
                    ? "{ at: { requestBody: 16KiB }, do: reset }" : "{ at: { responseBody: 64KiB }, do: reset }"
            case .silence: "{ at: responseHead, do: stall }"
            case .serverError:
                task == .upload
                    ? "{ at: { requestBody: 64KiB }, do: { status: 503 } }" : "{ at: requestHead, do: { status: 503 } }"
            }
        return lines + (faults.map { ["  faults:", "    - \($0)"] } ?? [])
    }

    private var sessionLines: [String] {
        switch fault {
        case .silence: ["# The client's own timer must end the request.", "session: { requestTimeout: 5s }"]
        case .offline: ["session: { waitsForConnectivity: true }"]
        case .none, .connectionLost, .serverError, .hostNotFound, .certificate: []
        }
    }

    private var stepLines: [String] {
        let target = fault == .hostNotFound ? "http://gone.test/file" : "/file"
        return [
            "# What the client does. With one task its name may be left out below; `as: NAME` gives it one.", "steps:",
            "  - \(task.rawValue): \(target)",
        ] + (task == .upload ? ["    body: { size: 64KiB }"] : [])
    }

    private var timelineLines: [String] {
        guard fault == .offline else { return [] }
        return [
            "# A change comes at a moment of the run, not after a time, so a slow machine sees the same.", "timeline:",
            "  - when: { event: taskIsWaitingForConnectivity, after: 500ms }", "    set: { \(interface): up }",
        ]
    }

    private var checkLines: [String] {
        let content = task == .download ? "  - file: { equals: /file }" : "  - body: { equals: /file }"
        let checks: [String] =
            switch fault {
            case .none: ["  - succeeds: all", content]
            case .connectionLost:
                ["  - completes: { error: networkConnectionLost }"]
                    + (task == .data ? [] : ["  - requests: { count: 1 }"])
            case .silence: ["  - completes: { error: timedOut }"]
            case .serverError:
                // A download does not report its response.
                ["  - completes: { error: none }"] + (task == .download ? [] : ["  - response: { status: 503 }"])
                    + ["  - requests: { count: 1 }"]
            case .offline: ["  - waits: {}", "  - succeeds: all", content]
            case .hostNotFound: ["  - completes: { error: cannotFindHost }", "  - requests: { count: 0 }"]
            case .certificate: ["  - completes: { error: any }", "  - requests: { count: 0 }"]
            }
        return ["# All of these must hold.", "expect:"] + checks
    }
}

/// The place of the JSON Schema for the comment that editors read.
package enum SchemaLocation {
    /// Returns the path from a folder: relative inside `home`, so that the comment holds on other machines, and else
    /// absolute.
    package static func path(from folder: String, home: String) -> String {
        let schema = "Scenarios/scenario.schema.json"
        if folder == home { return schema }
        guard folder.hasPrefix(home + "/") else { return "\(home)/\(schema)" }
        let parts = folder.dropFirst(home.count + 1).split(separator: "/")
        if parts.first == "Scenarios" {
            return String(repeating: "../", count: parts.count - 1) + "scenario.schema.json"
        }
        return String(repeating: "../", count: parts.count) + schema
    }
}

extension Symptom {
    /// Returns the scenario as a file of its own, with its explanation as comments.
    package func copy(schema: String) -> String {
        let comments = ([ScenarioTemplate.modeline(schema: schema), "# \(title)."] + wrapped.map { "# \($0)" })
        return comments.joined(separator: "\n") + "\n" + scenario
    }

    /// The explanation in lines of at most 120 columns with the comment's mark.
    private var wrapped: [String] {
        explanation.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, last.count + word.count < 117 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }
}
