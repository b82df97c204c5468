import Foundation
import Testing

@testable import AdaptableSession

@Suite struct PartialDownloadFileTests {
    @Test func `a new file is readable by its owner only`() throws {
        let part = try PartialDownloadFile.fresh()
        defer { part.remove() }
        let mode = try FileManager.default.attributesOfItem(atPath: part.location.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `an unwritable place is an immediate error`() {
        #expect(throws: (any Error).self) {
            try PartialDownloadFile.fresh(at: URL(fileURLWithPath: "/no/such/folder/file"))
        }
    }

    /// Both descriptors belong to one process; flock distinguishes them nevertheless.
    @Test func `a partial file is locked by one user until its release`() throws {
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

    /// A reader that opens the partial file between the end and the callback must not find the file that the callback
    /// reports.
    @Test func `the complete file has a name that is in no resume data`() throws {
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

    @Test func `a partial file whose name was removed is reported`() throws {
        let part = try PartialDownloadFile.fresh()
        #expect(part.isThere)
        try FileManager.default.removeItem(at: part.location)
        #expect(!part.isThere)
    }
}
