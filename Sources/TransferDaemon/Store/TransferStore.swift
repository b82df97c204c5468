package import Foundation
import GRDB
import Synchronization
import TransferProtocol

/// The durable state of the daemon: sessions, tasks, files and undelivered events in one SQLite database.
///
/// Every method is one transaction that is on the disk when the method returns (WAL with `synchronous=FULL`). Methods
/// block on the disk. Files are created before the row that names them and removed after the row is gone; `open` deletes
/// what a crash in between leaves behind.
package final class TransferStore: Sendable {
    /// The result of opening a store.
    package struct Opened: Sendable {
        package let store: TransferStore
        /// The place of a damaged store that was moved aside, with the reason.
        package let movedAside: (path: String, reason: String)?
        /// The tasks that failed because a file of theirs is missing. Their events are stored.
        package let failed: [TransferKey]
        /// The paths of files without an owner, which were removed.
        package let removed: [String]
    }

    let folder: StoreFolder
    let queue: DatabaseQueue
    /// Distinguishes the files of this store in shared containers.
    let identity: String
    /// The files whose rows were deleted in a batch, and nil outside of one. They are removed once the deletion is on the disk:
    /// a power cut may bring a row back, and with it a promise of its file.
    private let removedLater = Mutex<[String]?>(nil)

    private init(_ folder: StoreFolder, _ queue: DatabaseQueue, identity: String) {
        self.folder = folder
        self.queue = queue
        self.identity = identity
    }

    /// Opens the store in a folder, or creates it.
    ///
    /// A damaged store is moved aside and a new one is created.
    /// - Throws: `newerVersion` without a change to the store, `inUse`, `full`, or a system error.
    package static func open(
        at path: String, now: Date, boot: UUID = TransferInstant.ofMachine().boot
    ) throws(StoreError) -> Opened {
        let folder = StoreFolder(root: path)
        try folder.prepare()
        do throws(StoreError) {
            // A connection that cannot write needs a file of shared memory, for which a full disk leaves no space. The store
            // is used all the same: the ends of transfers free space.
            do throws(StoreError) { try inspect(folder) } catch .full {}
            return try openUsable(folder, movedAside: nil, boot)
        } catch {
            guard case .damaged(_, let reason) = error else { throw error }
            let aside = try folder.moveAside(at: now)
            try folder.prepare()
            return try openUsable(folder, movedAside: (aside, reason), boot)
        }
    }

    /// Looks at an existing store through a connection that cannot write.
    private static func inspect(_ folder: StoreFolder) throws(StoreError) {
        let path = folder.database
        guard DurableFiles.exists(path) else { return }
        var configuration = Configuration()
        configuration.readonly = true
        try converting(path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { db in
                try refuseNewer(db, path)
                let identifier = try Int.fetchOne(db, sql: "PRAGMA application_id")
                let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
                guard isEmpty || identifier == StoreSchema.applicationID else {
                    throw StoreError.damaged(path: path, reason: "the file is not a transfer store")
                }
                let check = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no result"
                guard check == "ok" else { throw StoreError.damaged(path: path, reason: check) }
            }
            try queue.close()
        }
    }

    private static func refuseNewer(_ db: Database, _ path: String) throws {
        let version = try StoreSchema.version(of: db)
        guard version <= StoreSchema.version else {
            throw StoreError.newerVersion(path: path, found: version, known: StoreSchema.version)
        }
    }

    private static func openUsable(
        _ folder: StoreFolder, movedAside: (path: String, reason: String)?, _ boot: UUID
    ) throws(StoreError) -> Opened {
        let store = try converting(folder.database) {
            var configuration = Configuration()
            configuration.journalMode = .wal
            configuration.label = "transfers"
            configuration.prepareDatabase { db in
                // A second daemon on the same store is refused by SQLite itself.
                try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            }
            let queue = try DatabaseQueue(path: folder.database, configuration: configuration)
            // GRDB's WAL mode sets NORMAL, with which a power cut can lose the last transactions.
            try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
            try queue.read { db in try refuseNewer(db, folder.database) }
            try StoreSchema.migrator.migrate(queue)
            let identity = try queue.write { db in
                if let known = try String.fetchOne(db, sql: "SELECT identity FROM store") { return known }
                let new = UUID().uuidString
                try db.execute(sql: "INSERT INTO store (identity) VALUES (?)", arguments: [new])
                return new
            }
            return TransferStore(folder, queue, identity: identity)
        }
        // The names of a new database and of its log.
        try DurableFiles.syncFolder(folder.current)
        store.keepReserve()
        let swept = try store.sweep(boot: boot)
        return Opened(store: store, movedAside: movedAside, failed: swept.failed, removed: swept.removed)
    }

    /// Closes the database. Later calls fail.
    package func close() throws(StoreError) {
        try TransferStore.converting(folder.database) { try queue.close() }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try TransferStore.converting(folder.database) { try queue.read(body) }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        if removedLater.withLock({ $0 != nil }) { return try writeLazily(body) }
        return try TransferStore.converting(folder.database) { try queue.write(body) }
    }

    /// The space for the ends of some transfers, each of which frees more.
    private static let reservedBytes = 256 << 10

    /// Takes the reserved space if it is not there.
    private func keepReserve() {
        if !DurableFiles.exists(folder.reserve) { DurableFiles.allocate(folder.reserve, TransferStore.reservedBytes) }
    }

    /// Like `write`, for the end of a transfer: on a full disk the reserved space is given up for it.
    func writeEnd<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do throws(StoreError) {
            let value = try write(body)
            keepReserve()
            return value
        } catch {
            guard case .full = error, DurableFiles.exists(folder.reserve) else { throw error }
            try DurableFiles.remove(folder.reserve)
            return try write(body)
        }
    }

    /// Runs changes that wait for the disk once, at the end, instead of each by itself: only then may they be confirmed.
    package func batch(_ body: () -> Void) throws(StoreError) {
        removedLater.withLock { $0 = [] }
        body()
        let paths = removedLater.withLock { paths in
            defer { paths = nil }
            return paths ?? []
        }
        // What the log does not hold any more was synchronised with the database.
        let log = folder.database + "-wal"
        if DurableFiles.exists(log) { try DurableFiles.syncFile(log) }
        try removeFiles(paths)
    }

    /// Removes files whose rows have been deleted, in a batch at its end.
    func removeFiles(_ paths: [String]) throws(StoreError) {
        let isLater = removedLater.withLock { later in
            later?.append(contentsOf: paths)
            return later != nil
        }
        guard !isLater else { return }
        for path in paths.map({ folder.absolute($0) }) {
            try DurableFiles.remove(path)
            // A client that was killed while its delegate had the file has left it.
            try DurableFiles.remove(TransferPlaces.delivered(path))
        }
    }

    /// Like `write`, but a power cut may undo it; a crash of the daemon does not. For what is worth no wait for the disk
    /// because the transfer can be done without it.
    func writeLazily<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try TransferStore.converting(folder.database) {
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = NORMAL")
                defer { try? db.execute(sql: "PRAGMA synchronous = FULL") }
                var value: Value?
                try db.inTransaction {
                    value = try body(db)
                    return .commit
                }
                guard let value else { throw StoreError.database(path: folder.database, reason: "no result") }
                return value
            }
        }
    }

    private static func converting<Value>(_ path: String, _ body: () throws -> Value) throws(StoreError) -> Value {
        do { return try body() } catch { throw StoreError(error, path: path) }
    }
}

extension Database {
    /// Runs a statement that stays prepared.
    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func one<Value: DatabaseValueConvertible>(_ type: Value.Type, _ sql: String, _ arguments: StatementArguments) throws
        -> Value?
    {
        try Value.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
    }
}
