import Foundation
import GRDB
package import TransferProtocol

extension TransferStore {
    /// Stores an event; returns it with its number. Only then may it be sent.
    package func append(
        _ content: TransferEvent.Content, task number: Int?, ofSession identifier: String
    ) throws(StoreError) -> TransferEvent {
        try write { db in
            let session = try TransferStore.row(ofSession: identifier, db)
            let task = try number.map {
                try TransferStore.row(of: TransferKey(session: identifier, number: $0), db)
            }
            return try self.append(content, number, task: task, session: session, db)
        }
    }

    /// Ends a task in one transaction: stores its last events, keeps a finished download for the client, and deletes
    /// resume data and the other files. A task that has completed already is left alone, and no event is added.
    ///
    /// - Parameter preceding: the events before the file and the completion, for example the response.
    /// - Parameter keepsDownload: the partial file is complete and becomes the file of a `finishedFile` event.
    /// - Returns: the stored events, in order.
    package func complete(
        _ key: TransferKey, preceding: [TransferEvent.Content] = [], failure: TransferFailure? = nil,
        counts: TransferCounts, keepsDownload: Bool = false
    ) throws(StoreError) -> [TransferEvent] {
        var failure = failure
        var keepsDownload = keepsDownload
        if keepsDownload {
            if let path = try file(.partial, of: key), DurableFiles.exists(path) {
                // The rows of the next transaction promise this content.
                try DurableFiles.syncFile(path)
            } else {
                // Another program has removed it. The task ends, because every further try would fail as well.
                keepsDownload = false
                failure = failure ?? TransferStore.missing("the download")
            }
        }
        let end = (failure: failure, keepsDownload: keepsDownload)
        let (events, paths) = try writeEnd { db in
            try self.end(
                key, preceding: preceding, failure: end.failure, counts: counts, keepsDownload: end.keepsDownload, db)
        }
        try removeFiles(paths)
        return events
    }

    static func missing(_ file: String) -> TransferFailure {
        TransferFailure(
            code: URLError.Code.fileDoesNotExist.rawValue, message: "the transfer daemon's copy of \(file) is missing")
    }

    func end(
        _ key: TransferKey, preceding: [TransferEvent.Content] = [], failure: TransferFailure?, counts: TransferCounts,
        keepsDownload: Bool, _ db: Database
    ) throws -> (events: [TransferEvent], paths: [String]) {
        let row = try TransferStore.row(of: key, db)
        let session = try TransferStore.row(ofSession: key.session, db)
        let state = try db.one(String.self, "SELECT state FROM task WHERE id = ?", [row])
        guard state != TransferTask.State.completed.rawValue else { return ([], []) }
        try db.run("UPDATE task SET state = ? WHERE id = ?", [TransferTask.State.completed.rawValue, row])
        try TransferStore.setCounts(counts, ofTask: row, db)
        try db.run("DELETE FROM resume WHERE task = ?", [row])
        var events = try preceding.map { try append($0, key.number, task: row, session: session, db) }
        if keepsDownload,
            let path = try db.one(
                String.self, "UPDATE file SET role = ? WHERE task = ? AND role = ? RETURNING path",
                [FileRole.finished.rawValue, row, FileRole.partial.rawValue])
        {
            events.append(
                try append(
                    .finishedFile(path: folder.absolute(path)), key.number, task: row, session: session, db))
        }
        let paths = try TransferStore.dropFiles(ofTask: row, in: [.upload, .partial], db)
        events.append(
            try append(.completed(failure: failure, counts: counts), key.number, task: row, session: session, db))
        return (events, paths)
    }

    private func append(
        _ content: TransferEvent.Content, _ number: Int?, task: Int64?, session: Int64, _ db: Database
    ) throws -> TransferEvent {
        let sql = "UPDATE session SET nextEvent = nextEvent + 1 WHERE id = ? RETURNING nextEvent - 1"
        guard let place = try db.one(Int64.self, sql, [session]) else {
            throw StoreError.damaged(path: folder.database, reason: "a session without its row")
        }
        try db.run(
            "INSERT INTO event (session, number, task, content) VALUES (?, ?, ?, ?)",
            [session, place, task, try TransferWire.encoder.encode(content)])
        return TransferEvent(number: place, task: number, content)
    }

    /// Returns the events that the client has not acknowledged, in order.
    package func events(
        ofSession identifier: String, after number: Int64 = 0, limit: Int = .max
    ) throws(StoreError) -> [TransferEvent] {
        try read { db in
            let sql = """
                SELECT event.number, task.number, content FROM event JOIN session ON session.id = event.session
                LEFT JOIN task ON task.id = event.task
                WHERE session.identifier = ? AND event.number > ? ORDER BY event.number LIMIT ?
                """
            let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [identifier, number, limit])
            return try rows.map { row in
                TransferEvent(
                    number: row[0], task: row[1],
                    try TransferWire.decoder.decode(TransferEvent.Content.self, from: row[2] as Data))
            }
        }
    }

    /// Deletes the events up to a number, with the downloads that they delivered and the completed tasks without
    /// another event. Numbers that were acknowledged before change nothing.
    package func acknowledge(through number: Int64, ofSession identifier: String) throws(StoreError) {
        let paths = try write { db in
            let session = try TransferStore.row(ofSession: identifier, db)
            let tasks = try Int64.fetchAll(
                try db.cachedStatement(
                    sql: "SELECT DISTINCT task FROM event WHERE session = ? AND number <= ? AND task IS NOT NULL"),
                arguments: [session, number])
            try db.run("DELETE FROM event WHERE session = ? AND number <= ?", [session, number])
            var paths: [String] = []
            for task in tasks {
                // A download is delivered by the event before the completion, so the file is free with the task.
                let isOver = try db.one(
                    Bool.self,
                    "SELECT state = 'completed' AND NOT EXISTS (SELECT 1 FROM event WHERE event.task = task.id) "
                        + "FROM task WHERE id = ?", [task])
                guard isOver == true else { continue }
                paths += try TransferStore.dropFiles(ofTask: task, in: FileRole.allCases, db)
                try db.run("DELETE FROM task WHERE id = ?", [task])
            }
            return paths
        }
        try removeFiles(paths)
    }

    /// Returns the numbers on which a launch of the client depends (`LaunchFacts`): resumed uploads and downloads that
    /// have not completed, and events that are not acknowledged.
    package func outstanding(ofSession identifier: String) throws(StoreError) -> (unfinished: Int, events: Int) {
        try read { db in
            let session = try TransferStore.row(ofSession: identifier, db)
            let sql = """
                SELECT count(*) FROM task
                WHERE session = ? AND state IN ('running', 'canceling') AND kind != 'data'
                """
            return (
                try db.one(Int.self, sql, [session]) ?? 0,
                try db.one(Int.self, "SELECT count(*) FROM event WHERE session = ?", [session]) ?? 0
            )
        }
    }
}
