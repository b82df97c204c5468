package import Foundation
import GRDB
package import TransferProtocol

extension TransferStore {
    /// Accepts a task: captures its upload file and stores it suspended, under its number or, if that is 0, under the
    /// session's next one.
    ///
    /// After this call the task exists until `acknowledge` or `removeSession` deletes it, whatever happens to client and
    /// daemon.
    /// - Throws: `usedNumber` if the session had a task with the number.
    package func add(_ draft: TransferTask, at now: TransferInstant) throws(StoreError) -> TransferTask {
        try add([draft], at: now)[0]
    }

    /// Accepts several tasks of one session in one transaction: all or none.
    package func add(_ drafts: [TransferTask], at now: TransferInstant) throws(StoreError) -> [TransferTask] {
        var captured: [String?] = []
        do throws(StoreError) {
            for draft in drafts { captured.append(try capture(draft.request)) }
            return try write { db in
                try zip(drafts, captured).map { draft, upload in try self.insert(draft, upload: upload, at: now, db) }
            }
        } catch {
            // A file that cannot be removed now is removed when the store is opened again.
            try? removeFiles(captured.compactMap(\.self))
            throw error
        }
    }

    private func insert(
        _ draft: TransferTask, upload: String?, at now: TransferInstant, _ db: Database
    ) throws -> TransferTask {
        let session = try TransferStore.row(ofSession: draft.session, db)
        guard
            let number = try db.one(
                Int.self,
                "UPDATE session SET nextTask = max(nextTask, ?) + 1 WHERE id = ? RETURNING nextTask - 1",
                [draft.number, session]),
            let stored = try db.one(Data.self, "SELECT settings FROM session WHERE id = ?", [session])
        else { throw StoreError.unknownSession(draft.session) }
        let settings = try TransferWire.decoder.decode(TransferSettings.self, from: stored)
        // A number below the next one was used before.
        guard draft.number == 0 || draft.number == number else {
            throw StoreError.usedNumber(session: draft.session, number: draft.number)
        }
        var task = draft
        task.number = number
        task.state = .suspended
        let row = try TaskRow.insert(
            task, session: session,
            timers: .new(earliestBegin: task.earliestBeginDate, resourceTimeout: settings.resourceTimeout, at: now),
            access: PathAccess(task.request, settings), resourceTimeout: Duration(limiting: settings.resourceTimeout),
            db)
        if let upload {
            try db.run("INSERT INTO file (path, task, role) VALUES (?, ?, ?)", [upload, row, FileRole.upload.rawValue])
            task.request.body = .file(path: folder.absolute(upload))
        }
        return task
    }

    package func task(_ key: TransferKey) throws(StoreError) -> TransferTask {
        try read { db in
            try self.one(TaskRow.taskColumns, of: key, db) { try TaskRow.task($0, self.folder) }
        }
    }

    /// Returns the tasks of a session in the order of their creation, without those that have completed (BKGD-07).
    package func tasks(ofSession identifier: String) throws(StoreError) -> [TransferTask] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT \(TaskRow.taskColumns) FROM task JOIN session ON session.id = task.session "
                    + "WHERE session.identifier = ? AND state != 'completed' ORDER BY task.id",
                arguments: [identifier]
            ).map { try TaskRow.task($0, self.folder) }
        }
    }

    /// Returns the scheduling properties of all tasks that have not completed, in the order of their creation.
    package func scheduled() throws(StoreError) -> [ScheduledTask] {
        try read { db in
            var tasks: [ScheduledTask] = []
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT \(TaskRow.scheduleColumns) FROM task JOIN session ON session.id = task.session "
                    + "WHERE state != 'completed' ORDER BY task.id")
            while let row = try rows.next() { tasks.append(try TaskRow.scheduled(row)) }
            return tasks
        }
    }

    package func scheduled(_ key: TransferKey) throws(StoreError) -> ScheduledTask {
        try read { db in try self.one(TaskRow.scheduleColumns, of: key, db) { try TaskRow.scheduled($0) } }
    }

    private func one<Value>(
        _ columns: String, of key: TransferKey, _ db: Database, _ convert: (Row) throws -> Value
    ) throws -> Value {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM task JOIN session ON session.id = task.session "
                + "WHERE session.identifier = ? AND task.number = ?")
        guard let row = try Row.fetchOne(statement, arguments: [key.session, key.number]) else {
            throw StoreError.unknownTask(session: key.session, number: key.number)
        }
        return try convert(row)
    }

    // Changes

    /// Resumes, suspends or cancels a task. The resource timeout runs only while the task is running or canceling.
    package func setState(_ state: TransferTask.State, of key: TransferKey, at now: TransferInstant) throws(StoreError)
    {
        try change(key) { db, row, scheduled in
            try db.run("UPDATE task SET state = ? WHERE id = ?", [state.rawValue, row])
            scheduled.timers.setResourceRuns(state != .suspended, at: now)
        }
    }

    package func setEarliestBegin(_ date: Date?, of key: TransferKey, at now: TransferInstant) throws(StoreError) {
        try change(key) { db, row, scheduled in
            try db.run(
                "UPDATE task SET earliestBegin = ?, needsDelayedAnswer = ? WHERE id = ?",
                [date?.timeIntervalSince1970, date != nil, row])
            scheduled.timers.setEarliestBegin(date, at: now)
        }
    }

    /// Stores the number of failed attempts in a row and the delay before the next attempt; nil means at once.
    package func setRetry(
        failures: Int, after delay: Duration?, of key: TransferKey, at now: TransferInstant
    ) throws(StoreError) {
        try change(key) { db, row, scheduled in
            try db.run("UPDATE task SET failures = ? WHERE id = ?", [failures, row])
            scheduled.timers.setRetry(after: delay, at: now)
        }
    }

    private func change(
        _ key: TransferKey, _ body: (Database, Int64, inout ScheduledTask) throws -> Void
    ) throws(StoreError) {
        try write { db in
            var scheduled = try self.one(TaskRow.scheduleColumns, of: key, db) { try TaskRow.scheduled($0) }
            try body(db, scheduled.order, &scheduled)
            try TaskRow.setTimers(scheduled.timers, ofTask: scheduled.order, db)
        }
    }

    /// Counts the time limits of all tasks from `now` on. Called when the daemon starts and after the wall clock was set:
    /// the stored limits then agree with the new wall clock, which a restart of the machine falls back to.
    package func reanchor(at now: TransferInstant) throws(StoreError) {
        // A row for each of many tasks takes seconds, and most starts find them right.
        let tasks = try scheduled().filter { task in
            let anchor = task.timers.anchor
            let step = anchor.stepOfWall(to: now)
            return anchor.boot != now.boot || step > .seconds(1) || step < .seconds(-1)
        }
        guard !tasks.isEmpty else { return }
        try write { db in
            for task in tasks { try TaskRow.setTimers(.moved(task.timers, to: now), ofTask: task.order, db) }
        }
    }

    package func setCounts(_ counts: TransferCounts, of key: TransferKey) throws(StoreError) {
        try write { db in try TransferStore.setCounts(counts, ofTask: TransferStore.row(of: key, db), db) }
    }

    static func setCounts(_ counts: TransferCounts, ofTask row: Int64, _ db: Database) throws {
        try db.run(
            """
            UPDATE task SET sent = ?, expectedToSend = ?, received = ?, expectedToReceive = ?, clientExpectsToSend = ?,
                clientExpectsToReceive = ? WHERE id = ?
            """,
            [
                counts.sent, counts.expectedToSend, counts.received, counts.expectedToReceive,
                counts.clientExpectsToSend, counts.clientExpectsToReceive, row,
            ])
    }

    package func setPriority(_ priority: Double, of key: TransferKey) throws(StoreError) {
        try write { db in
            try db.run("UPDATE task SET priority = ? WHERE id = ?", [priority, TransferStore.row(of: key, db)])
        }
    }

    package func setLabel(_ label: String?, of key: TransferKey) throws(StoreError) {
        try write { db in
            try db.run("UPDATE task SET label = ? WHERE id = ?", [label, TransferStore.row(of: key, db)])
        }
    }

    /// A data task that became a download, which then continues without the client (BKGD-13).
    package func setKind(_ kind: TransferTask.Kind, of key: TransferKey) throws(StoreError) {
        try write { db in
            try db.run("UPDATE task SET kind = ? WHERE id = ?", [kind.rawValue, TransferStore.row(of: key, db)])
        }
    }

    /// Stores the client's decision on `willBeginDelayedRequest`: a request that replaces the current one (SCHD-09), or
    /// nil to continue with it (SCHD-08). A new upload file is captured, and the earlier one is removed.
    package func setDelayedDecision(_ request: TransferRequest?, of key: TransferKey) throws(StoreError) {
        let upload = try request.flatMap { request throws(StoreError) in
            request.body == (try task(key)).request.body ? nil : try capture(request)
        }
        let replaced: [String]
        do throws(StoreError) {
            replaced = try write { db in
                let row = try TransferStore.row(of: key, db)
                try db.run("UPDATE task SET needsDelayedAnswer = 0 WHERE id = ?", [row])
                guard let request else { return [] }
                let settings = try self.settings(ofSession: key.session, db)
                try db.run(
                    "UPDATE task SET request = ?, origin = ?, access = ? WHERE id = ?",
                    [
                        try TransferWire.encoder.encode(request), TransferOrigin.of(request),
                        PathAccess(request, settings).rawValue, row,
                    ])
                guard let upload else { return [] }
                let old = try TransferStore.dropFiles(ofTask: row, in: [.upload], db)
                try db.run(
                    "INSERT INTO file (path, task, role) VALUES (?, ?, ?)", [upload, row, FileRole.upload.rawValue])
                return old
            }
        } catch {
            try? removeFiles([upload].compactMap(\.self))
            throw error
        }
        try removeFiles(replaced)
    }

    /// Makes the tasks that were created in the background ordinary ones, when the client comes to the foreground
    /// (DISC-04).
    package func liftBackground(ofSession identifier: String) throws(StoreError) {
        try write { db in
            try db.run(
                "UPDATE task SET background = 0 WHERE session = ? AND background = 1",
                [TransferStore.row(ofSession: identifier, db)])
        }
    }
}
