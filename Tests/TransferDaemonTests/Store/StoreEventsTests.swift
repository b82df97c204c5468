import Foundation
import GRDB
import Testing
import TransferProtocol

@testable import TransferDaemon

@Suite struct StoreEventsTests {
    private let place: TemporaryStore
    private var store: TransferStore { place.store }
    private let counts = TransferCounts(received: 3, expectedToReceive: 3)

    init() throws {
        place = try TemporaryStore()
        try place.store.save(settings())
        try place.store.save(settings("other"))
        _ = try place.store.add([draft(), draft()], at: moment)
        _ = try place.store.add(draft(session: "other"), at: moment)
    }

    @Test func `events are numbered for each session and numbers are not reused`() throws {
        let first = try store.append(.resumed(offset: 1, expectedTotal: 2), task: 1, ofSession: "s")
        let other = try store.append(.resumed(offset: 3, expectedTotal: 4), task: 1, ofSession: "other")
        #expect(first == TransferEvent(number: 1, task: 1, .resumed(offset: 1, expectedTotal: 2)))
        #expect(other.number == 1)
        try store.acknowledge(through: 1, ofSession: "s")
        _ = try place.reopen()
        let second = try store.append(.resumed(offset: 5, expectedTotal: 6), task: 2, ofSession: "s")
        #expect(second.number == 2)
        #expect(try store.events(ofSession: "s") == [second])
        #expect(try store.events(ofSession: "other") == [other])
    }

    /// On a full disk the reserved space is given up for the end of a transfer, and taken again by a later one.
    @Test func `the end of a transfer may use the reserved space`() throws {
        let reserve = place.folder + "/current/reserve"
        #expect(try FileManager.default.attributesOfItem(atPath: reserve)[.size] as? Int == 256 << 10)
        func limit(_ pages: Int) throws {
            try store.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages)") }
        }
        // The limit of a database stands for that of the disk, which has nothing to give up.
        try limit(1)
        let long = TransferFailure(code: -1, message: String(repeating: "x", count: 1 << 20))
        #expect(throws: StoreError.full(path: place.database)) {
            try store.complete(TransferKey(session: "s", number: 1), failure: long, counts: counts)
        }
        #expect(!FileManager.default.fileExists(atPath: reserve))
        try limit(1 << 20)
        #expect(try store.complete(TransferKey(session: "s", number: 1), failure: long, counts: counts).count == 1)
        #expect(FileManager.default.fileExists(atPath: reserve))
    }

    /// BKGD-05: what happened while the client was away is kept in order, until it is acknowledged.
    @Test func `undelivered events survive in order and leave with their acknowledgement`() throws {
        for offset in 1...5 {
            _ = try store.append(.resumed(offset: Int64(offset), expectedTotal: 9), task: 1, ofSession: "s")
        }
        _ = try place.reopen()
        #expect(try store.events(ofSession: "s").map(\.number) == [1, 2, 3, 4, 5])
        #expect(try store.events(ofSession: "s", after: 2, limit: 2).map(\.number) == [3, 4])
        try store.acknowledge(through: 3, ofSession: "s")
        try store.acknowledge(through: 2, ofSession: "s")
        _ = try place.reopen()
        #expect(try store.events(ofSession: "s").map(\.number) == [4, 5])
        #expect(try store.events(ofSession: "other") == [])
    }

    /// BKGD-07.
    @Test func `a completed task is not listed and is deleted with its last event`() throws {
        _ = try store.append(.resumed(offset: 1, expectedTotal: 2), task: 1, ofSession: "s")
        let failure = TransferFailure(code: -1001, message: "m")
        let events = try store.complete(key(1), failure: failure, counts: counts)
        #expect(events == [TransferEvent(number: 2, task: 1, .completed(failure: failure, counts: counts))])
        _ = try place.reopen()
        #expect(try store.tasks(ofSession: "s").map(\.number) == [2])
        #expect(try store.scheduled().map(\.key) == [key(2), key(1, "other")])
        #expect(try store.task(key(1)).state == .completed)
        try store.acknowledge(through: 1, ofSession: "s")
        #expect(try store.task(key(1)).counts == counts)
        try store.acknowledge(through: 2, ofSession: "s")
        #expect(throws: StoreError.unknownTask(session: "s", number: 1)) { try store.task(key(1)) }
    }

    @Test func `a task completes once`() throws {
        #expect(try store.complete(key(1), counts: counts).count == 1)
        #expect(try store.complete(key(1), failure: TransferFailure(code: -999, message: ""), counts: counts) == [])
        #expect(try store.events(ofSession: "s").count == 1)
    }

    @Test func `a finished download stays until its events are acknowledged`() throws {
        let path = try store.partialFile(of: key(1))
        #expect(try store.partialFile(of: key(1)) == path)
        try Data("abc".utf8).write(to: URL(fileURLWithPath: path))
        try store.setResumeData(Data([1]), of: key(1))
        let events = try store.complete(key(1), counts: counts, keepsDownload: true)
        #expect(events.map(\.content) == [.finishedFile(path: path), .completed(failure: nil, counts: counts)])
        let opened = try place.reopen()
        #expect(opened.removed == [])
        #expect(try store.events(ofSession: "s") == events)
        #expect(text(path) == "abc")
        try store.acknowledge(through: 1, ofSession: "s")
        #expect(text(path) == "abc")
        try store.acknowledge(through: 2, ofSession: "s")
        #expect(place.names("downloads") == [])
    }

    @Test func `the response comes before the file and the completion`() throws {
        let path = try store.partialFile(of: key(1))
        try Data("abc".utf8).write(to: URL(fileURLWithPath: path))
        let response = TransferEvent.Content.response(
            response: TransferResponse(
                url: URL(string: "http://h/")!, status: 200, version: "HTTP/1.1", headerFields: []))
        let events = try store.complete(key(1), preceding: [response], counts: counts, keepsDownload: true)
        #expect(
            events.map(\.content) == [
                response, .finishedFile(path: path), .completed(failure: nil, counts: counts),
            ])
    }

    /// A power cut in between may bring the row back, which promises the file.
    @Test func `a file of a batch is removed when the batch is on the disk`() throws {
        let path = try store.partialFile(of: key(1))
        try Data("abc".utf8).write(to: URL(fileURLWithPath: path))
        let events = try store.complete(key(1), counts: counts, keepsDownload: true)
        var wasThere = false
        try store.batch {
            try? store.acknowledge(through: events.last?.number ?? 0, ofSession: "s")
            wasThere = !place.names("downloads").isEmpty
        }
        #expect(wasThere)
        #expect(place.names("downloads") == [])
    }

    @Test func `a failed download leaves no file`() throws {
        let path = try store.partialFile(of: key(1))
        try Data("ab".utf8).write(to: URL(fileURLWithPath: path))
        _ = try store.complete(key(1), failure: TransferFailure(code: -1001, message: ""), counts: counts)
        #expect(place.names("downloads") == [])
    }

    @Test func `a complete download that is missing ends as a failure`() throws {
        _ = try store.partialFile(of: key(1))
        let events = try store.complete(key(1), counts: counts, keepsDownload: true)
        guard events.count == 1, case .completed(let failure?, _)? = events.first?.content else {
            Issue.record("not a failure: \(events)")
            return
        }
        #expect(failure.code == URLError.Code.fileDoesNotExist.rawValue)
    }

    /// BKGD-30.
    @Test func `a shared container receives the downloads`() throws {
        var shared = settings("shared")
        shared.sharedContainer = place.folder + "/container"
        try store.save(shared)
        _ = try store.add(draft(session: "shared"), at: moment)
        let path = try store.partialFile(of: key(1, "shared"))
        #expect(path.hasPrefix(place.folder + "/container/"))
        try Data("abc".utf8).write(to: URL(fileURLWithPath: path))
        let stray = (path as NSString).deletingLastPathComponent + "/stray"
        try Data("x".utf8).write(to: URL(fileURLWithPath: stray))
        let opened = try place.reopen()
        #expect(opened.removed == [stray])
        #expect(try store.partialFile(of: key(1, "shared")) == path)
        #expect(text(path) == "abc")
    }
}
