import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests that every new scenario is valid.
struct ScenarioTemplateTests {
    private static let all: [ScenarioTemplate] = ScenarioTemplate.Task.allCases.flatMap { task in
        ([nil] + ProfileCatalogue.all.map { Optional($0.name) }).flatMap { network in
            ScenarioTemplate.Fault.allCases.map { ScenarioTemplate(task: task, network: network, fault: $0) }
        }
    }

    @Test func `the reader accepts every combination, and the formatter leaves it as it is`() throws {
        #expect(Self.all.count == 3 * 7 * (ProfileCatalogue.all.count + 1))
        for template in Self.all {
            let text = template.text(schema: "scenario.schema.json")
            #expect(Sample.errors(text).map { "\($0)" } == [], "\(template.fileName)")
            #expect(try ScenarioFormatter.format(file: "f.yaml", text: text) == text, "\(template.fileName)")
        }
        #expect(Set(Self.all.map(\.fileName)).count == Self.all.count)
    }

    @Test func `a template has the choices, comments and the line for editors`() throws {
        let template = ScenarioTemplate(task: .upload, network: "lte", fault: .connectionLost)
        #expect(template.fileName == "upload-connection-lost-on-lte.yaml")
        let text = template.text(schema: "../scenario.schema.json")
        #expect(
            text == """
                # yaml-language-server: $schema=../scenario.schema.json
                # The expected behaviour in one sentence. crosswind run FILE runs it; crosswind explain FILE explains each key.
                scenario: An upload whose connection is lost ends with an error
                # The longest the run may take; a client that hangs fails here.
                timeout: 60s
                # crosswind profiles lte draws this profile.
                network:
                  cellular: lte
                # The server: each path is a route, and each fault happens at an exact place.
                origin:
                  /file: { text: "received" }
                  faults:
                    - { at: { requestBody: 16KiB }, do: reset }
                # What the client does. With one task its name may be left out below; `as: NAME` gives it one.
                steps:
                  - upload: /file
                    body: { size: 64KiB }
                # All of these must hold.
                expect:
                  - completes: { error: networkConnectionLost }
                  - requests: { count: 1 }

                """)
    }

    /// The words of the command line are those of the files' names.
    @Test func `the choices are words`() {
        #expect(ScenarioTemplate.Task.allCases.map(\.rawValue) == ["data", "download", "upload"])
        #expect(
            ScenarioTemplate.Fault.allCases.map(\.rawValue) == [
                "none", "connection-lost", "silence", "server-error", "offline", "host-not-found", "certificate",
            ])
    }

    @Test(arguments: [
        ("/home/p", "Scenarios/scenario.schema.json"), ("/home/p/Scenarios", "scenario.schema.json"),
        ("/home/p/Scenarios/resume", "../scenario.schema.json"), ("/home/p/mine", "../Scenarios/scenario.schema.json"),
        ("/home/p/a/b", "../../Scenarios/scenario.schema.json"), ("/tmp", "/home/p/Scenarios/scenario.schema.json"),
        ("/home/pq", "/home/p/Scenarios/scenario.schema.json"),
    ])
    func `the schema is found from the folder of the file`(folder: String, path: String) {
        #expect(SchemaLocation.path(from: folder, home: "/home/p") == path)
    }
}
