import Foundation
import GRDB
import Testing
import TransferProtocol

@testable import TransferDaemon

// With synchronous=FULL each commit ends with fsync(2) of the log, so a power cut leaves any prefix of the log that
// contains all commits that have returned. The test cuts the log after every commit and at many bytes between, and
// compares the whole content: it must be exactly that of the last complete commit.

@Suite struct StoreReplayTests {
    private struct Commit {
        let logSize: Int
        let content: [String]
    }

    private let place: TemporaryStore
    private var store: TransferStore { place.store }
    private var log: String { place.database + "-wal" }

    init() throws {
        place = try TemporaryStore()
        try place.store.save(settings())
        // The log is empty after this, and the database file does not change until the next checkpoint.
        _ = try place.reopen()
    }

    /// Returns every row of every table.
    private func content(_ store: TransferStore) throws -> [String] {
        try store.queue.read { db in
            try ["session", "task", "resume", "file", "event", "launch"].flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
            }
        }
    }

    private func size(_ path: String) -> Int {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        return size?.intValue ?? 0
    }

    private func commits() throws -> [Commit] {
        var commits = [Commit(logSize: size(log), content: try content(store))]
        func step(_ body: () throws -> Void) throws {
            try body()
            commits.append(Commit(logSize: size(log), content: try content(store)))
        }
        for number in 1...4 {
            try step { _ = try store.add(draft(), at: moment) }
            try step { try store.setState(.running, of: key(number), at: moment) }
            try step { try store.setResumeData(Data(repeating: UInt8(number), count: 9000), of: key(number)) }
            try step { _ = try store.append(.resumed(offset: 1, expectedTotal: 2), task: number, ofSession: "s") }
        }
        try step { _ = try store.add([draft(), draft(), draft()], at: moment) }
        for number in 1...3 { try step { _ = try store.complete(key(number), counts: TransferCounts(received: 1)) } }
        try step { try store.acknowledge(through: 5, ofSession: "s") }
        try step { try store.acknowledge(through: 6, ofSession: "s") }
        return commits
    }

    private func reopened(_ database: Data, _ log: Data) throws -> [String] {
        let folder = place.folder + "/replay"
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder + "/current", withIntermediateDirectories: true)
        try database.write(to: URL(fileURLWithPath: folder + "/current/store.sqlite"))
        try log.write(to: URL(fileURLWithPath: folder + "/current/store.sqlite-wal"))
        let opened = try TransferStore.open(at: folder, now: Date())
        defer { try? opened.store.close() }
        #expect(opened.movedAside == nil)
        return try content(opened.store)
    }

    @Test func `every cut of the log leaves exactly the complete commits`() throws {
        let commits = try commits()
        let database = try Data(contentsOf: URL(fileURLWithPath: place.database))
        let log = try Data(contentsOf: URL(fileURLWithPath: log))
        #expect(log.count == commits.last?.logSize)
        // Each step appends, otherwise the sizes would not distinguish the commits.
        #expect(zip(commits, commits.dropFirst()).allSatisfy { $0.logSize < $1.logSize })
        // The boundary of each commit, the byte before it, and 60 cuts at odd places between.
        let cuts = Set(commits.flatMap { [$0.logSize, $0.logSize - 1] } + (1...60).map { log.count * $0 / 61 })
        for cut in cuts.sorted() where cut >= 0 {
            let expected = commits.last { $0.logSize <= cut } ?? commits[0]
            let found = try reopened(database, log.prefix(cut))
            #expect(found == expected.content, "cut at byte \(cut) of \(log.count)")
        }
    }

    @Test func `a damaged last commit is absent and the others stay`() throws {
        let commits = try commits()
        let database = try Data(contentsOf: URL(fileURLWithPath: place.database))
        var log = try Data(contentsOf: URL(fileURLWithPath: log))
        log[log.count - 100] ^= 0xFF
        #expect(try reopened(database, log) == commits[commits.count - 2].content)
    }
}
