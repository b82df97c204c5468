import Testing

@testable import Harness

@Suite struct AdapterCatalogueTests {
    @Test(arguments: [
        ("a b", ["a", "b"]), ("  a   b ", ["a", "b"]),
        ("python3 'my adapter.py' -v", ["python3", "my adapter.py", "-v"]),
        ("a \"b c\"d", ["a", "b cd"]), ("a ''", ["a", ""]), ("", []),
    ])
    func `a command is cut at spaces outside quotes`(_ text: String, _ words: [String]) {
        #expect(AdapterChoice.split(of: text) == words)
    }

    @Test func `the known adapters are found by name`() throws {
        let layout = try InstallLayout.find()
        #expect(try AdapterChoice.parse("foundation", layout: layout).name == "foundation")
        #expect(try AdapterChoice.parse("python", layout: layout).command.first == "python3")
    }

    @Test func `the adapter is named after the script, not its interpreter`() throws {
        let layout = try InstallLayout.find()
        let script = try layout.file("scripts/adapters/python-adapter.py")
        #expect(try AdapterChoice.parse("python3 \(script)", layout: layout).name == "python-adapter")
    }

    @Test func `an unknown name is refused with a list of the known ones`() throws {
        let layout = try InstallLayout.find()
        #expect(throws: HarnessError.unknownAdapter("fundation", known: AdapterChoice.known)) {
            try AdapterChoice.parse("fundation", layout: layout)
        }
    }
}
