import GRDB
package import TransferProtocol

extension TransferStore {
    /// The number of the session's next task.
    package func nextTask(ofSession identifier: String) throws(StoreError) -> Int {
        try read { db in
            try db.one(Int.self, "SELECT nextTask FROM session WHERE identifier = ?", [identifier]) ?? 1
        }
    }

    /// True if a task with this number was accepted before, also if it is gone: clients repeat commands whose reply
    /// they did not see.
    package func hasAccepted(_ key: TransferKey) throws(StoreError) -> Bool {
        key.number < (try nextTask(ofSession: key.session))
    }

    /// All tasks of a session in the order of their creation, with those whose end the client has not acknowledged.
    package func allTasks(ofSession identifier: String) throws(StoreError) -> [TransferTask] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT \(TaskRow.taskColumns) FROM task JOIN session ON session.id = task.session "
                    + "WHERE session.identifier = ? ORDER BY task.id",
                arguments: [identifier]
            ).map { try TaskRow.task($0, self.folder) }
        }
    }
}

extension TransferStore {
    /// Makes a data task a download with another number, which continues without the client (BKGD-13).
    package func becomeDownload(_ number: Int, of key: TransferKey) throws(StoreError) {
        try write { db in
            try db.run(
                "UPDATE task SET number = ?, kind = ? WHERE id = ?",
                [number, TransferTask.Kind.download.rawValue, TransferStore.row(of: key, db)])
            try db.run(
                "UPDATE session SET nextTask = max(nextTask, ? + 1) WHERE identifier = ?", [number, key.session])
        }
    }
}
