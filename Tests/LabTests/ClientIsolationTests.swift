import LabKernel
import Testing

@testable import Lab

/// The variables and overlays of a program inside a lab, as values. `ConfinementTests` and `IsolationProgramTests` try them.
@Suite struct ClientIsolationTests {
    private static let caller = [
        "PATH": "/bin", "LANG": "C", "LC_ALL": "C", "TERM": "xterm", "AWS_SECRET_ACCESS_KEY": "x",
        "SSH_AUTH_SOCK": "/tmp/ssh",
        "http_proxy": "http://proxy", "XDG_RUNTIME_DIR": "/run/user/0",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus",
    ]

    @Test func `a clean environment keeps only the listed variables`() {
        let clean = ClientIsolation(cleansEnvironment: true).inherited(from: Self.caller)
        #expect(clean == ["PATH": "/bin", "LANG": "C", "LC_ALL": "C", "TERM": "xterm"])
    }

    @Test func `otherwise only proxies and what points to hidden services are left out`() {
        let names = ClientIsolation().inherited(from: Self.caller).keys.sorted()
        #expect(names == ["AWS_SECRET_ACCESS_KEY", "LANG", "LC_ALL", "PATH", "SSH_AUTH_SOCK", "TERM"])
    }

    @Test func `the services of the machine and the sockets of labs are hidden, and the current folder stays`() {
        let overlays = ClientIsolation(shared: ["/run/postgresql"]).overlays(currentDirectory: "/home/ann/project")
        #expect(overlays.contains(.hidden(path: "/run")))
        for folder in ControlFolder.candidates { #expect(overlays.contains(.hidden(path: folder.path))) }
        #expect(overlays.contains(.kept(path: "/home/ann/project")))
        #expect(overlays.contains(.kept(path: "/run/postgresql")))
    }

    /// In these folders are the sockets themselves.
    @Test(arguments: ["/", "/run/user", "/run/user/1000"])
    func `a current folder that encloses the hidden sockets is not kept`(_ folder: String) {
        #expect(!ClientIsolation().overlays(currentDirectory: folder).contains(.kept(path: folder)))
    }

    @Test func `the standard limits are below the machine's memory`() throws {
        let limits = ResourceLimits.standard
        #expect(limits.processes == 4096)
        #expect(try #require(limits.memory) > 64 << 20)
    }
}
