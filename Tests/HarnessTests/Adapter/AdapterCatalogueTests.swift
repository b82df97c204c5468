import Testing

@testable import Harness

@Suite struct AdapterCatalogueTests {
    @Test(arguments: [
        ("a b", ["a", "b"]), ("  a   b ", ["a", "b"]),
        ("python3 'my adapter.py' -v", ["python3", "my adapter.py", "-v"]),
        ("a \"b c\"d", ["a", "b cd"]), ("a ''", ["a", ""]), ("", []), ("a\nb", ["a", "b"]),
        ("node -e '{ a: 1 }' {b c", ["node", "-e", "{ a: 1 }", "{b", "c"]),
    ])
    func `a command is cut at spaces outside quotes`(_ text: String, _ words: [String]) throws {
        #expect(try AdapterChoice.split(of: text) == words)
    }

    @Test func `a quote that is not closed is refused`() {
        #expect(throws: HarnessError.self) { try AdapterChoice.split(of: "python3 'my adapter.py") }
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

    @Test(arguments: ["/nowhere/my-adapter", "./my-adapter -v", "fundation adapter.py", "/tmp", "/etc/passwd"])
    func `a command whose program is missing is refused before any scenario`(_ text: String) throws {
        let layout = try InstallLayout.find()
        let error = #expect(throws: HarnessError.self) { try AdapterChoice.parse(text, layout: layout) }
        #expect("\(try #require(error))".hasPrefix("the adapter \(text) does not start: "))
    }
}
