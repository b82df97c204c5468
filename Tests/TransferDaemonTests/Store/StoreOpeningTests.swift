import Foundation
import GRDB
import Testing
import TransferProtocol

@testable import TransferDaemon

@Suite struct StoreOpeningTests {
    private let place: TemporaryStore
    private var store: TransferStore { place.store }

    init() throws {
        place = try TemporaryStore()
        try place.store.save(settings())
        _ = try place.store.add(
            [draft(), draft(.upload, body: .file(path: try place.file("body", "content")))], at: moment)
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: place.database)) }

    private func aside() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: place.folder)) ?? []).filter { $0.hasPrefix("damaged") }
            .sorted()
    }

    @Test func `a store from a newer version is refused and not altered`() throws {
        try store.close()
        do {
            let queue = try DatabaseQueue(path: place.database)
            try queue.write { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('2')") }
            try queue.close()
        }
        let before = try bytes()
        #expect(throws: StoreError.newerVersion(path: place.database, found: 2, known: 1)) {
            try TransferStore.open(at: place.folder, now: Date())
        }
        #expect(try bytes() == before)
        #expect(aside() == [])
        #expect(place.names("uploads").count == 1)
    }

    @Test func `a second daemon is refused`() throws {
        #expect(throws: StoreError.inUse(path: place.database)) {
            try TransferStore.open(at: place.folder, now: Date())
        }
        #expect(try store.tasks(ofSession: "s").count == 2)
    }

    /// A damaged header, a damaged page, a lost end, and the database of another program.
    @Test(arguments: ["header", "page", "end", "other"])
    func `a damaged store is moved aside with its files`(_ damage: String) throws {
        for _ in 0..<40 { _ = try store.add(draft(), at: moment) }
        try store.close()
        var bytes = try bytes()
        switch damage {
        case "header": bytes.replaceSubrange(0..<100, with: Data(repeating: 0x55, count: 100))
        // The file has more than 20 pages of 4096 bytes: these are of the tables.
        case "page": bytes.replaceSubrange(8192..<40960, with: Data(repeating: 0x55, count: 32768))
        case "end": bytes.removeLast(bytes.count / 2)
        default:
            try FileManager.default.removeItem(atPath: place.database)
            let queue = try DatabaseQueue(path: place.database)
            try queue.write { db in try db.execute(sql: "CREATE TABLE other (a)") }
            try queue.close()
            bytes = try self.bytes()
        }
        try bytes.write(to: URL(fileURLWithPath: place.database))
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let opened = try TransferStore.open(at: place.folder, now: date)
        place.store = opened.store
        let path = try #require(opened.movedAside?.path)
        #expect(path == place.folder + "/damaged-20231114T221320Z")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/store.sqlite")) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/uploads").count == 1)
        #expect(opened.movedAside?.reason.isEmpty == false)
        // The new store works.
        #expect(try store.sessions() == [])
        try store.save(settings())
        #expect(try store.add(draft(), at: moment).number == 1)
    }

    @Test func `two damaged stores of one moment are both kept`() throws {
        for _ in 1...2 {
            try store.close()
            try Data("not a database, but long enough to be read as a header".utf8)
                .write(to: URL(fileURLWithPath: place.database))
            place.store = try TransferStore.open(at: place.folder, now: moment.wall).store
        }
        #expect(aside() == ["damaged-20231114T221320Z", "damaged-20231114T221320Z-2"])
    }

    @Test func `a file without an owner is removed`() throws {
        let strays = [
            place.folder + "/current/uploads/" + UUID().uuidString,
            place.folder + "/current/downloads/" + UUID().uuidString,
        ]
        for stray in strays { try Data("x".utf8).write(to: URL(fileURLWithPath: stray)) }
        let opened = try place.reopen()
        #expect(opened.removed == strays.sorted())
        #expect(place.names("uploads").count == 1)
        #expect(place.names("downloads") == [])
        #expect(opened.failed == [])
    }

    /// A client that still runs may be in its delegate's method with the link when the daemon starts again.
    @Test func `the delivered link of a finished download stays until the acknowledgement`() throws {
        let path = try store.partialFile(of: key(1))
        try Data("abc".utf8).write(to: URL(fileURLWithPath: path))
        let events = try store.complete(key(1), counts: TransferCounts(received: 3), keepsDownload: true)
        try FileManager.default.linkItem(atPath: path, toPath: TransferPlaces.delivered(path))
        #expect(try place.reopen().removed == [])
        #expect(text(TransferPlaces.delivered(path)) == "abc")
        try store.acknowledge(through: try #require(events.last?.number), ofSession: "s")
        #expect(place.names("downloads") == [])
    }

    @Test func `a task whose upload file is missing fails`() throws {
        let name = try #require(place.names("uploads").first)
        try FileManager.default.removeItem(atPath: place.folder + "/current/uploads/" + name)
        let opened = try place.reopen()
        #expect(opened.failed == [key(2)])
        let events = try store.events(ofSession: "s")
        #expect(events.count == 1)
        guard case .completed(let failure?, _)? = events.first?.content else {
            Issue.record("not a failure: \(events)")
            return
        }
        #expect(failure.code == URLError.Code.fileDoesNotExist.rawValue)
        #expect(try store.tasks(ofSession: "s").map(\.number) == [1])
        // Reported once.
        #expect(try place.reopen().failed == [])
        #expect(try store.events(ofSession: "s") == events)
    }

    @Test func `a finished download that is missing becomes a failure`() throws {
        let path = try store.partialFile(of: key(1))
        try Data("abc".utf8).write(to: URL(fileURLWithPath: path))
        _ = try store.complete(key(1), counts: TransferCounts(received: 3), keepsDownload: true)
        try FileManager.default.removeItem(atPath: path)
        #expect(try place.reopen().failed == [key(1)])
        let contents = try store.events(ofSession: "s").map(\.content)
        #expect(contents.count == 1)
        guard case .completed(_?, let counts)? = contents.first else {
            Issue.record("not a failure: \(contents)")
            return
        }
        #expect(counts.received == 3)
        #expect(try place.reopen().failed == [])
    }

    /// After a power cut the end of a part may be zeros; what was synchronised is not.
    @Test func `after a restart of the machine only the synchronised part is used`() throws {
        let path = try store.partialFile(of: key(1))
        try Data("abcdef".utf8).write(to: URL(fileURLWithPath: path))
        try store.keepReceived(4, of: key(1))
        // A daemon that was killed has lost nothing.
        _ = try place.reopen()
        #expect(text(path) == "abcdef")
        try store.close()
        place.store = try TransferStore.open(at: place.folder, now: Date(), boot: UUID()).store
        #expect(text(path) == "abcd")
        #expect(try store.task(key(1)).counts.received == 4)
    }

    @Test func `a missing part of a download starts it over`() throws {
        _ = try store.partialFile(of: key(1))
        try store.setResumeData(Data([1]), of: key(1))
        try store.setCounts(TransferCounts(received: 3), of: key(1))
        #expect(try place.reopen().failed == [])
        #expect(try store.resumeData(of: key(1)) == nil)
        #expect(try store.task(key(1)).counts.received == 0)
        #expect(try store.tasks(ofSession: "s").count == 2)
    }

    @Test func `a full disk refuses new tasks and keeps the accepted ones`() throws {
        let pages = try store.queue.read { db in try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0 }
        try store.queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA max_page_count = \(pages + 3)")
        }
        let source = try place.file("another", "x")
        var accepted = 2
        var refusal: StoreError?
        while refusal == nil, accepted < 1000 {
            do throws(StoreError) {
                _ = try store.add(draft(.upload, body: .file(path: source)), at: moment)
                accepted += 1
            } catch { refusal = error }
        }
        #expect(refusal == .full(path: place.database))
        #expect(accepted > 2)
        #expect(try store.tasks(ofSession: "s").count == accepted)
        // The first two tasks have one file; the refused one left none.
        #expect(place.names("uploads").count == accepted - 1)
        let opened = try place.reopen()
        #expect(opened.movedAside == nil && opened.removed == [] && opened.failed == [])
        // Reopening lifts the limit of the test, as freed space would. The refused task did not use up a number.
        #expect(try store.add(draft(), at: moment).number == accepted + 1)
    }

    /// The ends need more pages than there are, so that the limit stands for a full disk.
    @Test func `the ends of tasks without their files may use the reserved space`() throws {
        for number in 0..<200 {
            _ = try store.add(draft(.upload, body: .file(path: place.file("body \(number)", "x"))), at: moment)
        }
        for name in place.names("uploads") {
            try FileManager.default.removeItem(atPath: place.folder + "/current/uploads/" + name)
        }
        try store.queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = 1") }
        let reserve = place.folder + "/current/reserve"
        #expect(FileManager.default.fileExists(atPath: reserve))
        #expect(throws: StoreError.full(path: place.database)) { try store.sweep(boot: UUID()) }
        #expect(!FileManager.default.fileExists(atPath: reserve))
        // With space again every task gets its end, and the reserve is taken again.
        #expect(try !place.reopen().failed.isEmpty)
        #expect(try store.tasks(ofSession: "s").map(\.number) == [1])
        #expect(FileManager.default.fileExists(atPath: reserve))
    }
}
