@testable import Conformance
import FoundationEssentials
import Testing

@testable import ScenarioLanguage

struct DocumentTests {
    private func error(_ text: String) -> String? {
        do {
            _ = try Document(file: "f.yaml", text: text)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `invalid YAML is reported with its position`() {
        #expect(
            error("a: 1\nb: [1, 2")?.hasPrefix("f.yaml:2:") == true
                || error("a: 1\nb: [1, 2")?.hasPrefix("f.yaml:3:") == true)
        #expect(error("a: 'x")?.contains("this is not valid YAML") == true)
        #expect(error("a: *nothing")?.contains("undefined alias") == true)
        #expect(error("a: 1\n---\nb: 2")?.contains("another document") == true)
    }

    @Test func `the error for an empty file lists the keys of a scenario`() {
        #expect(error("")?.contains("empty") == true)
        #expect(error("# only a comment\n")?.contains("empty") == true)
    }

    @Test func `tabs and control characters are reported with their position`() {
        #expect(error("a:\n\tb: 1")?.hasPrefix("f.yaml:2:1: a tab") == true)
        #expect(error("a: x\0y")?.hasPrefix("f.yaml:1:5: the character U+0000") == true)
        #expect(error("a: x\u{85}y")?.contains("U+0085") == true)
        #expect(error("a: 1 \t# a tab after a value is not indentation") == nil)
    }

    @Test func `a byte order mark is not part of the text`() {
        #expect(error("\u{FEFF}a: 1") == nil)
    }

    @Test func `bytes that are not UTF-8 are reported with their line`() {
        let error = #expect(throws: ScenarioError.self) {
            try ScenarioReader.text(of: Array("a: 1\nb: ".utf8) + [0xFF, 0x0A], file: "f.yaml")
        }
        #expect(error?.description == "f.yaml:2:1: this line is not UTF-8; save the file as UTF-8")
    }

    @Test func `a huge file is refused without being read`() {
        #expect(error(String(repeating: "a", count: Document.sizeLimit + 1))?.contains("1 MiB") == true)
    }

    @Test func `a missing file, a folder and a device are refused`() {
        for path in ["/nowhere/a.yaml", Sample.folder, "/dev/zero"] {
            guard case .failure(let errors) = ScenarioReader.read(path: path) else {
                Issue.record("\(path) was read")
                continue
            }
            #expect(errors.errors.count == 1)
            #expect(errors.description.hasPrefix("\(path):1:1: "))
        }
    }

    @Test(arguments: ["[", "{a: ", "- ", "? ", "  - "])
    func `deep nesting is an error and does not overflow the stack`(piece: String) {
        #expect(error(String(repeating: piece, count: 100_000)) != nil)
    }

    /// Nine nested levels of ten would be a billion values.
    @Test func `aliases that grow exponentially are refused`() {
        var text = "l0: &l0 [a, a, a, a, a, a, a, a, a, a]\n"
        for level in 1...8 {
            text += "l\(level): &l\(level) [\(Array(repeating: "*l\(level - 1)", count: 10).joined(separator: ", "))]\n"
        }
        #expect(error(text)?.contains("aliases") == true)
    }

    @Test func `an alias as a key is refused before it is compared`() {
        var text = "l0: &l0 [a, a]\n"
        for level in 1...30 { text += "l\(level): &l\(level) [*l\(level - 1), *l\(level - 1)]\n" }
        #expect(error(text + "x: { *l30 : 1 }")?.contains("a key is a word") == true)
        #expect(error(text + "? *l30\n: 1")?.contains("a key is a word") == true)
    }

    @Test func `a chain of nested aliases is released without exhausting the stack`() {
        let open = String(repeating: "[", count: 60)
        let close = String(repeating: "]", count: 60)
        var text = "l0: &l0 \(open)a\(close)\n"
        for level in 1...31 { text += "l\(level): &l\(level) \(open)*l\(level - 1)\(close)\n" }
        #expect(error(text)?.contains("nested more than") == true)
    }
}
