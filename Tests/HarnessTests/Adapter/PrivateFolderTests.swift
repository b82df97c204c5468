import LabKernel
import ScenarioLanguage
import Testing

@testable import Lab

/// Adapters of several labs have the same process id, each in a namespace of its own, so files that are named after it
/// collide in a shared `/tmp`.
@Suite struct PrivateFolderTests {
    private static func hidden(
        _ command: [String], in folder: String = "/srv", path: String = "/usr/bin", shared: [String] = []
    ) -> Bool {
        var environment = ClientEnvironment(
            nameServers: [], authorityPEM: "", authorityHash: "none", files: [:],
            isolation: ClientIsolation(shared: shared))
        environment.environment = environment.environment.filter { !$0.key.hasSuffix("PATH") }
        environment.environment["VIRTUAL_ENV"] = nil
        environment.environment["PATH"] = path
        return environment.privateFolders(for: command, in: folder).overlays.contains(.hidden(path: "/tmp"))
    }

    @Test func `an adapter has a folder for temporary files of its own`() {
        #expect(Self.hidden(["/usr/bin/python3", "adapter.py"]))
        #expect(Self.hidden(["java", "-cp", "classes", "Adapter"]))
    }

    @Test func `a program whose parts lie there keeps the shared one`() {
        #expect(!Self.hidden(["/tmp/adapter"]))
        #expect(!Self.hidden(["node", "--require=/tmp/hook.js", "adapter.js"]))
        #expect(!Self.hidden(["python3", "adapter.py"], in: "/tmp/work"))
        #expect(!Self.hidden(["python3", "/srv/adapter.py"], path: "/tmp/venv/bin:/usr/bin"))
    }

    @Test func `a user can share the folder itself, and a folder below it leaves the rest private`() {
        #expect(!Self.hidden(["adapter"], shared: ["/tmp/"]))
        #expect(Self.hidden(["adapter"], shared: ["/tmp/work"]))
    }

    @Test func `every folder of a user is the private one`() {
        let environment = ClientEnvironment(nameServers: [], authorityPEM: "", authorityHash: "none", files: [:])
            .privateFolders(for: ["adapter"], in: "/srv").environment
        let names = [
            "HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
        ]
        #expect(names.allSatisfy { environment[$0] == ClientEnvironment.folder })
    }
}
