import Foundation
import Testing

@testable import Harness

@Suite struct ArtifactDirectoryTests {
    /// Other steps of the job and the CI system itself read and write the file too.
    @Test func `appending keeps the contents, the mode and the other names of a file`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("append-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/summary"
        try Data("an earlier step\n".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        try FileManager.default.linkItem(atPath: file, toPath: folder + "/other")
        try ArtifactDirectory.append("this one\n", to: file, variable: "GITHUB_STEP_SUMMARY")
        #expect(try String(contentsOfFile: folder + "/other", encoding: .utf8) == "an earlier step\nthis one\n")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o644)
    }

    @Test func `a file that does not exist is named with its variable`() {
        #expect {
            try ArtifactDirectory.append("", to: "/no/such/file", variable: "GITHUB_STEP_SUMMARY")
        } throws: { error in
            "\(error)".contains("/no/such/file") && "\(error)".contains("the variable GITHUB_STEP_SUMMARY")
        }
    }
}
