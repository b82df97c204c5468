import AdapterProtocol
import Conformance
import ScenarioLanguage
import Testing

@testable import Harness

/// Tests which files the bodies of uploads become.
@Suite struct TaskBodiesTests {
    @Test func `files of the same name, and of a name that the harness uses, stay apart`() throws {
        let text = """
            scenario: Files
            origin:
              /a: { text: "a" }
            steps:
              - { upload: /a, as: first, body: { size: 1KiB, from: file } }
              - { upload: /a, as: second, body: { size: 2KiB, from: file, fileName: upload-1 } }
              - { upload: /a, as: third, body: { size: 3KiB, from: file, fileName: upload-1 } }
            expect:
              - succeeds: all
            """
        let script = try ScenarioReader.read(file: "case.yaml", text: text).get().script
        let bodies = TaskBodies(script)
        #expect(bodies.files.mapValues(\.count).values.sorted() == [1024, 2048, 3072])
        let paths = script.compactMap { step -> String? in
            guard case .makeTask(let task)? = bodies.command(step), case .file(let path)? = task.body else {
                return nil
            }
            return path
        }
        #expect(paths.map { String($0.split(separator: "/").last ?? "") } == ["upload-1", "upload-1", "upload-1"])
        #expect(Set(paths).count == 3)
    }
}
