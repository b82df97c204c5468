import Foundation
import Glibc
import Testing

@testable import Lab
@testable import LinkEngines

/// Evidence holds credentials, so the modes are those of private files whatever the umask is, and a link that another user could have
/// placed is never followed.
@Suite struct EvidenceFileTests {
    private func with(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("evidence-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func refusal(_ path: String, replacing: Bool = true) -> String {
        do throws(EvidenceFile.Problem) {
            _ = try EvidenceFile.create(at: path, replacing: replacing)
            return "created"
        } catch {
            return error.description
        }
    }

    @Test func `new files have mode 0600 and new folders 0700`() throws {
        try with { folder in
            try EvidenceFile.write("text", to: folder + "/a/b/file")
            #expect(try mode(folder + "/a/b/file") == 0o600)
            #expect(try mode(folder + "/a/b") == 0o700)
            #expect(try mode(folder + "/a") == 0o700)
            #expect(try String(contentsOfFile: folder + "/a/b/file", encoding: .utf8) == "text")
        }
    }

    @Test func `the record, the capture and the decisions of a run are such files`() throws {
        try with { folder in
            let capture = try Capture.create(at: folder + "/run/capture.pcapng")
            capture.secret("CLIENT_RANDOM 00 00")
            capture.close(keep: true)
            #expect(capture.failure == nil)
            let decisions = try DecisionLog.create(at: folder + "/run/decisions.txt")
            decisions.close()
            #expect(try mode(folder + "/run/capture.pcapng") == 0o600)
            #expect(try mode(folder + "/run/decisions.txt") == 0o600)
            #expect(try mode(folder + "/run") == 0o700)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/run").sorted()
            #expect(names == ["capture.pcapng", "decisions.txt"])
        }
    }

    @Test func `a replaced file loses its contents and the rights of others`() throws {
        try with { folder in
            let path = folder + "/file"
            try Data("a longer text".utf8).write(to: URL(fileURLWithPath: path))
            #expect(unsafe chmod(path, 0o644) == 0)
            try EvidenceFile.write("short", to: path)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "short")
            #expect(try mode(path) == 0o600)
        }
    }

    /// It is a file system in memory, unlike the rest of /dev.
    @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm")))
    func `files in /dev/shm are ordinary files`() throws {
        let path = "/dev/shm/evidence-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try EvidenceFile.write("a longer text", to: path)
        try EvidenceFile.write("short", to: path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "short")
        #expect(try mode(path) == 0o600)
    }

    @Test func `a symbolic link is refused, also one to nothing, and its target stays`() throws {
        try with { folder in
            let target = folder + "/target"
            try Data("kept".utf8).write(to: URL(fileURLWithPath: target))
            let files = FileManager.default
            try files.createSymbolicLink(atPath: folder + "/link", withDestinationPath: target)
            try files.createSymbolicLink(atPath: folder + "/dangling", withDestinationPath: folder + "/new")
            #expect(refusal(folder + "/link").contains("symbolic link"))
            #expect(refusal(folder + "/link", replacing: false) == "File exists (errno 17)")
            #expect(refusal(folder + "/dangling").contains("symbolic link"))
            #expect(!files.fileExists(atPath: folder + "/new"))
            #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
            #expect(throws: LabError.self) { try Capture.create(at: folder + "/link") }
        }
    }

    @Test func `a file with a second name is refused`() throws {
        try with { folder in
            try Data("kept".utf8).write(to: URL(fileURLWithPath: folder + "/one"))
            #expect(unsafe Glibc.link(folder + "/one", folder + "/two") == 0)
            #expect(refusal(folder + "/two").contains("hard links"))
            #expect(try String(contentsOfFile: folder + "/one", encoding: .utf8) == "kept")
        }
    }

    @Test func `a file in place of a folder, and a folder in place of a file, are named`() throws {
        try with { folder in
            try EvidenceFile.write("", to: folder + "/file")
            #expect(refusal(folder + "/file/inner") == "File exists (errno 17)")
            #expect(refusal(folder) == "Is a directory (errno 21)")
        }
    }
}
