import Foundation
import Record
import ScenarioLanguage
import Testing

@testable import Harness

/// Tests the reading of `client.yaml` files, the version commands, and the adapters made of them.
@Suite struct ClientCatalogueTests {
    private static let adapter = """
        name: Python requests
        language: Python
        adapter: python3 adapter.py
        version: echo 2.32.3
        install: pip install requests==2.32.3
        profile: http-client
        """
    private static let command = """
        name: curl
        language: C
        command: curl -sS -o {file} {url}
        classes: { 6: nameResolution, 28: timedOut }
        offers: [followRedirects]
        version: echo 8.14.1
        install: apt-get install curl
        profile: http-client
        """

    private func read(_ text: String) throws -> Client {
        try Client.read(file: "c/client.yaml", text: text, folder: "/clients/c")
    }

    /// A folder with these files, removed afterwards.
    private func with(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cw-clients-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let url = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        try body(folder.path)
    }

    // MARK: - Files

    @Test func `a client with an adapter and one with a command are read`() throws {
        let adapter = try read(Self.adapter)
        #expect(adapter.id == "c")
        #expect(adapter.name == "Python requests")
        #expect(adapter.program == .adapter("python3 adapter.py"))
        #expect(adapter.profile == .httpClient)
        #expect(adapter.baseline == "/clients/c/baseline.yaml")
        let command = try read(Self.command)
        #expect(
            command.program
                == .command(
                    "curl -sS -o {file} {url}", classes: "6=nameResolution,28=timedOut", offers: "followRedirects"))
    }

    @Test(arguments: [
        ("adapter: python3 adapter.py\n", "", "the client lacks its program"),
        ("adapter: python3 adapter.py\n", "adapter: a\ncommand: curl {url}\n", "`adapter` or `command`, not both"),
        ("adapter: python3 adapter.py\n", "command: curl -sS\n", "the command lacks {url}"),
        ("adapter: python3 adapter.py\n", "adapter: a\nclasses: { 6: refused }\n", "`classes` describes a command"),
        ("profile: http-client", "profile: everything", "urlsession"),
        ("version: echo 2.32.3\n", "", "version"), ("name: Python requests", "title: x", "title"),
        ("name: Python requests", "- x", "client.yaml:"),
    ])
    func `a wrong file is refused with its place and the reason`(_ part: String, _ wrong: String, _ reason: String) {
        let text = Self.adapter.replacing(part, with: wrong)
        #expect(text != Self.adapter)
        let error = #expect(throws: ScenarioErrors.self) { _ = try read(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "no error")")
        #expect(error?.description.hasPrefix("c/client.yaml:") == true)
    }

    @Test(arguments: [
        (ClientProfile.httpClient, [ClientProfile.httpClient]), (.browser, [.httpClient, .browser]),
        (.urlsession, [.httpClient, .browser, .urlsession]),
    ])
    func `a profile includes those before it`(_ own: ClientProfile, _ asked: [ClientProfile]) {
        #expect(ClientProfile.allCases.filter(own.includes) == asked)
    }

    @Test func `one wrong file leaves the other clients usable`() throws {
        let files = [
            "b/client.yaml": Self.adapter, "a/client.yaml": "name: x", "c/client.yaml": Self.command, "d/README": "",
        ]
        try with(files) { folder in
            let catalogue = ClientCatalogue(folder: folder)
            #expect(catalogue.entries.map(\.id) == ["a", "b", "c"])
            let usable = catalogue.entries.compactMap { entry in
                if case .success(let client) = entry.client { client.name } else { nil }
            }
            #expect(usable == ["Python requests", "curl"])
            let (all, some) = (try catalogue.select(["all"]), try catalogue.select(["c", "b"]))
            #expect(all.map(\.id) == ["a", "b", "c"])
            #expect(some.map(\.id) == ["b", "c"])
            #expect(throws: HarnessError.unknownClient("z", known: ["a", "b", "c"])) {
                try catalogue.select(["b", "z"])
            }
        }
        #expect(ClientCatalogue(folder: "/nonexistent").entries.isEmpty)
    }

    /// The files that come with Crosswind, so that a wrong one is found without a run.
    @Test func `every client of the project is read`() throws {
        let layout = try InstallLayout.find()
        for entry in ClientCatalogue(folder: ClientCatalogue.folder(layout)).entries {
            if case .failure(let errors) = entry.client { Issue.record("\(errors)") }
        }
    }

    // MARK: - Versions

    @Test(arguments: [
        ("echo 2.32.3", "2.32.3"), ("printf '\\n  curl 8.14.1 (x86_64)  \\nmore\\n'", "8.14.1"),
        ("pwd | grep -o '[^/]*$'", "own"),
        ("seq -s '' 1000", "123456789101112131415161718192021222324252627282930313233343"),
    ])
    func `the version is the first line that the command prints in the client's folder`(
        _ command: String, _ version: String
    ) throws {
        try with(["own/client.yaml": ""]) { folder in
            let client = try Client.read(
                file: "client.yaml",
                text: Self.adapter.replacing("echo 2.32.3", with: "\"\(command.replacing("\\", with: "\\\\"))\""),
                folder: folder + "/own")
            let found = try client.installedVersion()
            #expect(found == version)
        }
    }

    @Test(arguments: [
        ("curl 8.14.1 (x86_64-pc-linux-gnu) libcurl/8.14.1 zlib/1.3.1", "8.14.1"),
        ("Swift version 6.3.1 (swift-6.3.1-RELEASE)", "6.3.1"), ("openjdk 17.0.12 2024-07-16", "17.0.12"),
        ("20.19.2 (undici 6.21.0)", "20.19.2 (undici 6.21.0)"), ("libcurl/8.14.1", "libcurl/8.14.1"),
        ("2 of 3", "2 of 3"),
    ])
    func `the number is taken from the line of a version`(_ line: String, _ version: String) {
        #expect(Client.version(in: line) == version)
    }

    @Test(arguments: [
        ("exit 3", "its version command ended with status 3"),
        ("echo first >&2; echo No module named requests >&2; exit 1", "ended with status 1: No module named requests"),
        ("true", "its version command printed nothing"), ("cw-no-such-program", "status 127"),
        ("sleep 60", "did not end in time"),
    ])
    func `a client that is not installed is one sentence with the command that installs it`(
        _ command: String, _ reason: String
    ) throws {
        try with(["own/client.yaml": ""]) { folder in
            var client = try read(Self.adapter)
            client.folder = folder + "/own"
            client.version = command
            let missing = client
            let error = #expect(throws: HarnessError.self) { _ = try missing.installedVersion(withinSeconds: 3) }
            let text = error?.description ?? ""
            #expect(text.hasPrefix("Python requests is not installed: "))
            #expect(text.contains(reason))
            #expect(text.hasSuffix("Install it with: pip install requests==2.32.3"))
        }
    }

    // MARK: - Adapters

    @Test func `an adapter runs in the client's folder, with its own baseline`() throws {
        let layout = try InstallLayout.find()
        try with(["own/client.yaml": "", "own/baseline.yaml": ""]) { folder in
            var client = try read(Self.adapter)
            (client.id, client.folder) = ("own", folder + "/own")
            let choice = try AdapterChoice.client(client, layout: layout)
            #expect(choice.name == "own")
            #expect(choice.profile == .httpClient)
            #expect(choice.command == ["python3", "adapter.py"])
            #expect(choice.folder == folder + "/own")
            #expect(choice.baseline == folder + "/own/baseline.yaml")
            client.program = .adapter("./start --fast")
            #expect(try AdapterChoice.client(client, layout: layout).command == [folder + "/own/./start", "--fast"])
            client.program = .adapter("adaptable")
            let builtIn = try AdapterChoice.client(client, layout: layout).command
            #expect(builtIn == [layout.programFolder + "/adaptable-adapter"])
            client.program = .adapter("")
            #expect(throws: HarnessError.self) { try AdapterChoice.client(client, layout: layout) }
        }
    }

    /// The known failures of one profile do not hold for another: a run would report them as unexpected passes.
    @Test func `a client may have a baseline for one profile`() throws {
        let layout = try InstallLayout.find()
        try with(["own/baseline.yaml": "", "own/baseline-http-client.yaml": ""]) { folder in
            var client = try read(Self.adapter)
            client.folder = folder + "/own"
            let choice = try AdapterChoice.client(client, layout: layout)
            #expect(choice.baseline(asking: .httpClient) == folder + "/own/baseline-http-client.yaml")
            #expect(choice.baseline(asking: .browser) == folder + "/own/baseline.yaml")
            client.program = .adapter("foundation")
            let builtIn = try AdapterChoice.client(client, layout: layout)
            #expect(builtIn.baseline(asking: .httpClient) == folder + "/own/baseline-http-client.yaml")
        }
    }

    @Test func `a client without a baseline has that of its built-in adapter, or none`() throws {
        let layout = try InstallLayout.find()
        let client = try read(Self.adapter)
        #expect(try AdapterChoice.client(client, layout: layout).baseline == nil)
        var builtIn = client
        builtIn.program = .adapter("python")
        let python = try AdapterChoice.client(builtIn, layout: layout)
        #expect(python.baseline == "\(layout.folder)/Scenarios/baseline/python.yaml")
        let none = try AdapterChoice.client(named: "no-such-client", layout: layout)
        #expect(none == nil)
    }

    @Test func `a client of the project is found by the name of its folder`() throws {
        try with(["scripts/clients/mine/client.yaml": Self.adapter, "scripts/clients/bad/client.yaml": "name: x"]) {
            folder in
            let layout = InstallLayout(folder: folder, programFolder: folder)
            let choice = try AdapterChoice.parse("mine", layout: layout)
            #expect(choice.name == "mine")
            #expect(choice.folder == "\(folder)/scripts/clients/mine")
            let error = #expect(throws: HarnessError.self) { try AdapterChoice.parse("bad", layout: layout) }
            #expect(error?.description.contains("scripts/clients/bad/client.yaml:1:1") == true)
        }
    }
}
