import Foundation
import Testing

@testable import Harness

/// Tests of the commands with which scenarios are written: new, format, reference, and explain for words. None of them
/// needs a lab.
struct AuthoringProgramTests {
    private func with(_ body: (BuiltProgram) throws -> Void) throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        try body(program)
    }

    @Test func `new writes a valid file once`() throws {
        try with { program in
            let path = program.folder + "/mine.yaml"
            let arguments = ["new", "--task", "upload", "--network", "lte", "--fault", "server-error", "--out", path]
            let written = try program.run(arguments)
            #expect(written.status == 0)
            #expect(written.output.contains("wrote \(path)"))
            #expect(try program.run(["validate", path]).output == "1 scenario valid\n")
            let text = try program.text("mine.yaml")
            #expect(text.hasPrefix("# yaml-language-server: $schema=/"))
            #expect(text.contains("status: 503"))
            let again = try program.run(arguments)
            #expect(again.status == 2)
            #expect(again.errors == "crosswind: \(path) exists already; choose another name with --out\n")
            #expect(try program.text("mine.yaml") == text)
        }
    }

    @Test func `new copies the scenario of a symptom`() throws {
        try with { program in
            let written = try program.run(["new", "--symptom", "double-post"])
            #expect(written.status == 0)
            #expect(try program.text("double-post.yaml").contains("# An order is placed twice."))
            #expect(try program.run(["validate", "double-post.yaml"]).status == 0)
            let wrong = try program.run(["new", "--symptom", "doublepost"])
            #expect(wrong.status == 2)
            #expect(wrong.errors.contains("did you mean `double-post`?"))
        }
    }

    @Test(arguments: [
        (["new"], "standard input is not a terminal"),
        (["new", "--task", "data"], "give --task, --network and --fault"),
        (
            ["new", "--task", "dat", "--network", "lte", "--fault", "none"],
            "--task is `dat`; did you mean `data`? Allowed: data, download, upload"
        ),
        (["new", "--symptom", "double-post", "--task", "data"], "--symptom copies a whole scenario"),
        (["explain", "respnseBody"], "near words: responseBody"), (["format", "/nowhere.yaml"], "does not exist"),
    ])
    func `wrong usage has the status 2 and one sentence`(arguments: [String], message: String) throws {
        try with { program in
            let ended = try program.run(arguments)
            #expect(ended.status == 2)
            #expect(ended.errors.contains(message), "\(ended.errors)")
        }
    }

    /// `script` gives the program a terminal; the second answer is not a profile, so its question is repeated.
    @Test func `new asks three questions at a terminal`() throws {
        try with { program in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.currentDirectoryURL = URL(fileURLWithPath: program.folder)
            let command = "\(program.layout.programFolder)/crosswind new --out asked.yaml"
            process.arguments = [
                "-c", "printf 'download\\nltee\\nlte\\n\\n' | script -qec '\(command)' /dev/null > asked.txt",
            ]
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            let shown = try program.text("asked.txt")
            for part in ["Kind of the task:", "Network:", "`ltee` is not one of them; did you mean `lte`?", "Fault:"] {
                #expect(shown.contains(part), "\(shown)")
            }
            let text = try program.text("asked.yaml")
            #expect(
                text.contains("download: /file") && text.contains("cellular: lte") && text.contains("succeeds: all"))
        }
    }

    @Test func `format changes a file once, and --check only lists it`() throws {
        try with { program in
            let path = try program.write("loose.yaml", "steps: [ {data: /a} ]  \nscenario: A\n")
            let check = try program.run(["format", "--check", path])
            #expect(check.status == 1)
            #expect(check.output == "would change \(path)\n")
            #expect(try program.text("loose.yaml").hasPrefix("steps"))
            #expect(try program.run(["format", path]).output == "changed \(path)\n")
            #expect(try program.text("loose.yaml") == "scenario: A\nsteps: [{ data: /a }]\n")
            let again = try program.run(["format", "--check", path])
            #expect(again.status == 0)
            #expect(again.output == "")
        }
    }

    @Test func `explain and reference print words, symptoms and the values of a file`() throws {
        try with { program in
            #expect(try program.run(["explain", "acknowledged"]).output.contains("steps.await.acknowledged"))
            let symptom = try program.run(["explain", "stuck", "in", "the", "train"])
            #expect(symptom.status == 0)
            #expect(symptom.output.contains("crosswind new --symptom stuck-in-the-train"))
            let file = try program.run(["explain", "guide/05-the-connection-is-lost"]).output
            #expect(file.contains("origin.faults.at.responseBody: 64KiB\n      The server's kernel has taken exactly"))
            #expect(try program.run(["reference"]).output.hasPrefix("# Reference of the scenario language\n"))
            #expect(try program.run(["reference", "--symptoms"]).output.contains("## An order is placed twice\n"))
        }
    }
}
