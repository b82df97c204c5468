import AdaptableSession
import Foundation
import Testing

/// Each test uses a separate folder in place of the one in the user's home.
struct ResumeKeyTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "ResumeKeyTests-\(UUID().uuidString)")
    private var place: URL { folder.appendingPathComponent("resume-key") }

    private func mode(_ url: URL) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
    }

    @Test func `a later run finds the key of the first run, and only its owner can read it`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = try #require(ResumeKey.kept(in: folder))
        #expect(ResumeKey.kept(in: folder) == key)
        #expect(try mode(place) == 0o600)
        #expect(try mode(folder) == 0o700)
        #expect(try Data(contentsOf: place).count == ResumeKey.length)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["resume-key"])
    }

    @Test func `two users have two keys`() throws {
        let other = folder.appendingPathExtension("other")
        defer { for place in [folder, other] { try? FileManager.default.removeItem(at: place) } }
        let key = try #require(ResumeKey.kept(in: folder))
        #expect(ResumeKey.kept(in: other) != key)
    }

    @Test func `a key that is truncated or readable by others is replaced`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = try #require(ResumeKey.kept(in: folder))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: place.path)
        let second = try #require(ResumeKey.kept(in: folder))
        #expect(second != key)
        #expect(try mode(place) == 0o600)
        try Data([1, 2, 3]).write(to: place)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.path)
        let third = try #require(ResumeKey.kept(in: folder))
        #expect(third != second)
        #expect(ResumeKey.kept(in: folder) == third)
    }

    @Test func `a key is not kept where its file cannot be stored`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("file")
        try Data().write(to: file)
        #expect(ResumeKey.kept(in: file.appendingPathComponent("below")) == nil)
    }

    /// Both programs use the key that was stored first; otherwise one would refuse the other's data.
    @Test func `programs that start at the same time have the same key`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = await withTaskGroup(of: ResumeKey?.self) { group in
            for _ in 0..<16 { group.addTask { ResumeKey.kept(in: folder) } }
            return await group.reduce(into: Set<ResumeKey?>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(keys.first != .some(nil))
    }
}
