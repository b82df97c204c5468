import FoundationEssentials
import Testing

@testable import ScenarioLanguage

struct ScenarioFilesTests {
    @Test(arguments: [
        ("/x/Scenarios/resume/reset.yaml", "resume/reset"), ("Scenarios/a.yml", "a"),
        ("/x/Scenarios/old/Scenarios/b/c.yaml", "b/c"),
        ("elsewhere/d.yaml", "d"), ("e", "e"), ("./Scenarios/f.g.yaml", "f.g"), (".yaml", ".yaml"),
    ])
    func `an id is the path below the nearest Scenarios folder`(path: String, id: String) {
        #expect(ScenarioFiles.id(of: path) == id)
    }

    @Test func `a folder is searched in order without catalogue and baseline, and a named file is always included`()
        throws
    {
        let root = FileManager.default.temporaryDirectory.appending(
            path: "crosswind-files-\(UInt64.random(in: 0...UInt64.max))")
        defer { try? FileManager.default.removeItem(at: root) }
        for name in [
            "b/two.yaml", "b/one.yml", "a/x.yaml", "a/notes.txt", "catalogue/r.yaml", "baseline/k.yaml",
            ".hidden/h.yaml", "odd",
        ] {
            let file = root.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
        }
        let path = root.path()
        #expect(try ScenarioFiles.find(in: [path]) == ["\(path)/a/x.yaml", "\(path)/b/one.yml", "\(path)/b/two.yaml"])
        #expect(
            try ScenarioFiles.find(in: ["\(path)/odd", "\(path)/b/", "\(path)/b/two.yaml"]) == [
                "\(path)/odd", "\(path)/b/one.yml", "\(path)/b/two.yaml",
            ])
        #expect(try ScenarioFiles.find(in: ["\(path)/catalogue/r.yaml"]) == ["\(path)/catalogue/r.yaml"])
        let error = #expect(throws: ScenarioError.self) { try ScenarioFiles.find(in: ["\(path)/none"]) }
        #expect(error?.description.contains("this file or folder does not exist") == true)
    }
}
