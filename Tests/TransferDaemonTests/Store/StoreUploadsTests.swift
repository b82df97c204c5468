import Foundation
import Testing
import TransferProtocol

@testable import TransferDaemon

@Suite struct StoreUploadsTests {
    private let place: TemporaryStore
    private var store: TransferStore { place.store }

    init() throws {
        place = try TemporaryStore()
        try place.store.save(settings())
    }

    private func captured(_ key: TransferKey) throws -> String? {
        guard case .file(let path) = try store.task(key).request.body else { return nil }
        return text(path)
    }

    /// BKGD-15.
    @Test func `the file of an upload is captured`() throws {
        let source = try place.file("body", "original")
        let task = try store.add(draft(.upload, body: .file(path: source)), at: moment)
        #expect(task.originalRequest.body == .file(path: source))
        try FileManager.default.removeItem(atPath: source)
        _ = try place.file("body", "other")
        _ = try place.reopen()
        #expect(try captured(key(1)) == "original")
        _ = try store.complete(key(1), counts: TransferCounts())
        #expect(place.names("uploads") == [])
    }

    @Test func `a symbolic link is captured with the file behind it`() throws {
        let source = try place.file("body", "original")
        let link = place.folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: source)
        _ = try store.add(draft(.upload, body: .file(path: link)), at: moment)
        try FileManager.default.removeItem(atPath: source)
        #expect(try captured(key(1)) == "original")
    }

    /// /dev/shm is another file system than the store's folder, which a hard link cannot cross.
    @Test func `a file of another file system is copied`() throws {
        let source = "/dev/shm/transfer-store-\(UUID().uuidString)"
        // More than one buffer, with a part at the end.
        let content = String(repeating: "0123456789", count: 250_000) + "end"
        try Data(content.utf8).write(to: URL(fileURLWithPath: source))
        defer { try? FileManager.default.removeItem(atPath: source) }
        _ = try store.add(draft(.upload, body: .file(path: source)), at: moment)
        try Data("changed".utf8).write(to: URL(fileURLWithPath: source))
        #expect(try captured(key(1)) == content)
    }

    @Test func `a missing file or a folder is refused`() throws {
        let missing = place.folder + "/missing"
        #expect(throws: StoreError.system(call: "open", path: missing, errno: ENOENT)) {
            try store.add(draft(.upload, body: .file(path: missing)), at: moment)
        }
        #expect(throws: StoreError.notAFile(path: place.folder)) {
            try store.add(draft(.upload, body: .file(path: place.folder)), at: moment)
        }
        #expect(try store.tasks(ofSession: "s") == [])
        #expect(place.names("uploads") == [])
    }

    @Test func `one refused file of several tasks leaves nothing`() throws {
        let good = draft(.upload, body: .file(path: try place.file("body", "x")))
        let bad = draft(.upload, body: .file(path: place.folder + "/missing"))
        #expect(throws: StoreError.self) { try store.add([good, bad], at: moment) }
        #expect(try store.tasks(ofSession: "s") == [])
        #expect(place.names("uploads") == [])
    }

    @Test func `a new upload file of a delayed request replaces the first`() throws {
        var task = draft(.upload, body: .file(path: try place.file("first", "1")))
        task.earliestBeginDate = moment.wall
        _ = try store.add(task, at: moment)
        // A delegate that changes only a header field returns the request with the captured path.
        var request = try store.task(key(1)).request
        request.headerFields = [TransferHeaderField("A", "1")]
        try store.setDelayedDecision(request, of: key(1))
        #expect(try captured(key(1)) == "1")
        #expect(place.names("uploads").count == 1)
        request.body = .file(path: try place.file("second", "2"))
        try store.setDelayedDecision(request, of: key(1))
        #expect(try captured(key(1)) == "2")
        #expect(place.names("uploads").count == 1)
        _ = try place.reopen()
        #expect(try captured(key(1)) == "2")
        #expect(try store.task(key(1)).request.headerFields == [TransferHeaderField("A", "1")])
    }
}
