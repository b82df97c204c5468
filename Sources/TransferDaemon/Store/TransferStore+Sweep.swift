import Foundation
import GRDB
import TransferProtocol

extension TransferStore {
    /// Restores the agreement of rows and files after a crash: removes files without a row, and fails the tasks whose
    /// file is missing. Runs once, before any transfer.
    ///
    /// - Parameter boot: the present run of the machine. What an earlier run wrote to a part without fsync(2) may be
    ///   missing, or zeros on some file systems.
    func sweep(boot: UUID) throws(StoreError) -> (failed: [TransferKey], removed: [String]) {
        let owned = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT file.path, role, session.identifier, task.number, task.id, received, anchorBoot FROM file
                    JOIN task ON task.id = file.task JOIN session ON session.id = task.session ORDER BY task.id
                    """
            ).map { row in
                Owned(
                    path: self.folder.absolute(row[0]), role: FileRole(rawValue: row[1]),
                    key: TransferKey(session: row[2], number: row[3]), task: row[4], received: row[5],
                    isOfThisBoot: row[6] == boot.uuidString)
            }
        }
        var failed: [TransferKey] = []
        for file in owned where !DurableFiles.exists(file.path) && file.role != nil {
            if try repair(file) { failed.append(file.key) }
        }
        for file in owned where file.role == .partial && !file.isOfThisBoot && DurableFiles.exists(file.path) {
            try DurableFiles.limit(file.path, to: file.received)
        }
        // The delegate of a client that runs may have the delivered file now.
        return (failed, try removeStrays(keeping: Set(owned.flatMap { [$0.path, TransferPlaces.delivered($0.path)] })))
    }

    private struct Owned: Sendable {
        let path: String
        let role: FileRole?
        let key: TransferKey
        let task: Int64
        let received: Int64
        let isOfThisBoot: Bool
    }

    /// Returns true if the task failed for lack of the file.
    private func repair(_ file: Owned) throws(StoreError) -> Bool {
        let counts = try task(file.key).counts
        let failure = TransferStore.missing(file.path)
        let (hasFailed, paths) = try writeEnd { db -> (Bool, [String]) in
            switch file.role {
            case .partial, nil:
                // Nothing is lost but received bytes: the next attempt starts from the beginning.
                try db.run("DELETE FROM resume WHERE task = ?", [file.task])
                try db.run("UPDATE task SET received = 0 WHERE id = ?", [file.task])
                return (false, [])
            case .upload:
                return (
                    true, try self.end(file.key, failure: failure, counts: counts, keepsDownload: false, db).paths
                )
            case .finished:
                // The events that promise the file were not acknowledged; one failure replaces them.
                try db.run("DELETE FROM event WHERE task = ?", [file.task])
                try db.run("UPDATE task SET state = ? WHERE id = ?", [TransferTask.State.running.rawValue, file.task])
                let dropped = try TransferStore.dropFiles(ofTask: file.task, in: [.finished], db)
                let ended = try self.end(file.key, failure: failure, counts: counts, keepsDownload: false, db)
                return (true, dropped + ended.paths)
            }
        }
        try removeFiles(paths)
        return hasFailed
    }

    private func removeStrays(keeping owned: Set<String>) throws(StoreError) -> [String] {
        var folders = StoreFolder.Area.allCases.map { folder.area($0) }
        for case let container? in try sessions().map(\.sharedContainer) {
            let shared = StoreFolder.downloads(inShared: container, identity: identity)
            if DurableFiles.exists(shared), !folders.contains(shared) { folders.append(shared) }
        }
        var removed: [String] = []
        for folder in folders {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
                throw .system("opendir", folder, EIO)
            }
            for path in names.map({ folder + "/" + $0 }) where !owned.contains(path) {
                try DurableFiles.remove(path)
                removed.append(path)
            }
        }
        return removed.sorted()
    }
}
