import Foundation
import FoundationNetworking
import MigrationSample
import Testing

/// A program for URLSession compiles beside the file of type names, and the page shows both texts.
@Suite struct MigrationPageTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: ["URLSessionNames.swift", "Program.swift"])
    func `the page shows the file that is compiled`(name: String) throws {
        let page = try String(
            contentsOf: Self.tests.appendingPathComponent(
                "../Sources/AdaptableSession/AdaptableSession.docc/MigratingFromURLSession.md"), encoding: .utf8)
        let file = try String(contentsOf: Self.tests.appendingPathComponent("MigrationSample/\(name)"), encoding: .utf8)
        #expect(page.contains("```swift\n\(file)```\n"), "copy Tests/MigrationSample/\(name) into the page")
    }

    @Test(.timeLimit(.minutes(1))) func `the program for URLSession runs with AdaptableSession`() async throws {
        let server = try await ScriptedServer { _ in ScriptedServer.ok("content") }
        #expect(try await downloadWithMigratedProgram(server.url("/")) == Data("content".utf8))
        #expect(server.requests.first?.fields["user-agent"] == "Sample/1")
        await #expect(throws: URLError.self) {
            _ = try await downloadWithMigratedProgram(URL(fileURLWithPath: "/missing/file"))
        }
    }
}
