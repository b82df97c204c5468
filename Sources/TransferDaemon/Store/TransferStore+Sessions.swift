import Foundation
import GRDB
package import TransferProtocol

extension TransferStore {
    /// Stores a session or its changed settings. Its tasks and events stay.
    package func save(_ settings: TransferSettings) throws(StoreError) {
        try write { db in
            try db.run(
                "INSERT INTO session (identifier, settings) VALUES (?, ?) "
                    + "ON CONFLICT (identifier) DO UPDATE SET settings = excluded.settings",
                [settings.identifier, try TransferWire.encoder.encode(settings)])
        }
    }

    package func sessions() throws(StoreError) -> [TransferSettings] {
        try read { db in
            try Data.fetchAll(db, sql: "SELECT settings FROM session ORDER BY id")
                .map { try TransferWire.decoder.decode(TransferSettings.self, from: $0) }
        }
    }

    package func session(_ identifier: String) throws(StoreError) -> TransferSettings? {
        try read { db in
            try db.one(Data.self, "SELECT settings FROM session WHERE identifier = ?", [identifier])
                .map { try TransferWire.decoder.decode(TransferSettings.self, from: $0) }
        }
    }

    /// Deletes a session with its tasks, files and events, for example after it was invalidated.
    package func removeSession(_ identifier: String) throws(StoreError) {
        let paths = try write { db in
            let session = try TransferStore.row(ofSession: identifier, db)
            let paths = try String.fetchAll(
                db, sql: "SELECT path FROM file WHERE task IN (SELECT id FROM task WHERE session = ?)",
                arguments: [session])
            try db.run("DELETE FROM session WHERE id = ?", [session])
            return paths
        }
        try removeFiles(paths)
    }

    static func row(ofSession identifier: String, _ db: Database) throws -> Int64 {
        guard let row = try db.one(Int64.self, "SELECT id FROM session WHERE identifier = ?", [identifier]) else {
            throw StoreError.unknownSession(identifier)
        }
        return row
    }

    static func row(of key: TransferKey, _ db: Database) throws -> Int64 {
        let sql = """
            SELECT task.id FROM task JOIN session ON session.id = task.session
            WHERE session.identifier = ? AND task.number = ?
            """
        guard let row = try db.one(Int64.self, sql, [key.session, key.number]) else {
            throw StoreError.unknownTask(session: key.session, number: key.number)
        }
        return row
    }
}
