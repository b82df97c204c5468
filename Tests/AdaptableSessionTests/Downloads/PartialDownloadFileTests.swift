import Foundation
import Testing

@testable import AdaptableSession

@Suite struct PartialDownloadFileTests {
    @Test func `a new file is nobody else's to read`() throws {
        let part = try PartialDownloadFile.fresh()
        defer { part.remove() }
        let mode = try FileManager.default.attributesOfItem(atPath: part.location.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a place that cannot be written is an error at once`() {
        #expect(throws: (any Error).self) {
            try PartialDownloadFile.fresh(at: URL(fileURLWithPath: "/no/such/folder/file"))
        }
    }

    /// Both descriptors are of one process; flock tells them apart all the same.
    @Test func `a part is held by one, until it lets go`() throws {
        let place = PartialDownloadFile.freshLocation()
        try Data("0123456789".utf8).write(to: place)
        let first = try #require(PartialDownloadFile.held(at: place))
        #expect(PartialDownloadFile.held(at: place) == nil)
        first.close()
        let second = try #require(PartialDownloadFile.held(at: place))
        #expect(try second.length() == 10)
        #expect(try second.identity(4..<10) == PartialFileTail.identity(Array("456789".utf8)))
        second.remove()
        #expect(!FileManager.default.fileExists(atPath: place.path))
        #expect(PartialDownloadFile.held(at: place) == nil)
    }

    /// Who looks for the part between the end and the callback must not find the file that the callback tells of.
    @Test func `the whole file has a name that no resume data has`() throws {
        let place = PartialDownloadFile.freshLocation()
        try Data("whole".utf8).write(to: place)
        let part = try #require(PartialDownloadFile.held(at: place))
        let whole = try part.finish()
        #expect(whole != place)
        #expect(try Data(contentsOf: whole) == Data("whole".utf8))
        #expect(PartialDownloadFile.held(at: place) == nil)
        part.remove()
        #expect(!FileManager.default.fileExists(atPath: whole.path))
    }

    @Test func `a part whose name is gone says so`() throws {
        let part = try PartialDownloadFile.fresh()
        #expect(part.isThere)
        try FileManager.default.removeItem(at: part.location)
        #expect(!part.isThere)
    }
}
