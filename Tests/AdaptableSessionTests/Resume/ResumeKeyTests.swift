import AdaptableSession
import Foundation
import Testing

/// In a folder of its own for each test, as the folder in the user's home would be.
struct ResumeKeyTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "ResumeKeyTests-\(UUID().uuidString)")
    private var place: URL { folder.appendingPathComponent("resume-key") }

    private func mode(_ url: URL) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
    }

    @Test func `A later run finds the key of the first, and nobody else can read it`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = try #require(ResumeKey.kept(in: folder))
        #expect(ResumeKey.kept(in: folder) == key)
        #expect(try mode(place) == 0o600)
        #expect(try mode(folder) == 0o700)
        #expect(try Data(contentsOf: place).count == ResumeKey.length)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["resume-key"])
    }

    @Test func `Two users have two keys`() throws {
        let other = folder.appendingPathExtension("other")
        defer { for place in [folder, other] { try? FileManager.default.removeItem(at: place) } }
        let key = try #require(ResumeKey.kept(in: folder))
        #expect(ResumeKey.kept(in: other) != key)
    }

    @Test func `A key that was cut, or that others could read, is replaced`() throws {
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

    @Test func `Where no file can be kept there is no kept key`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("file")
        try Data().write(to: file)
        #expect(ResumeKey.kept(in: file.appendingPathComponent("below")) == nil)
    }

    /// Both go on with the key that came first, or what one made the other would refuse.
    @Test func `Programs that begin at once have the same key`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = await withTaskGroup(of: ResumeKey?.self) { group in
            for _ in 0..<16 { group.addTask { ResumeKey.kept(in: folder) } }
            return await group.reduce(into: Set<ResumeKey?>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(keys.first != .some(nil))
    }
}
