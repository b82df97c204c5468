package import Foundation
import GRDB
import TransferProtocol

/// The purpose of a file that the store owns.
package enum FileRole: String, Sendable, CaseIterable {
    /// The captured body of a request.
    case upload
    /// The part of a download that was received.
    case partial
    /// A complete download that the client has not acknowledged.
    case finished
}

extension StoreFolder {
    /// Paths below the folder `current` are stored relative to it, because the folder is renamed when it is moved aside.
    func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : current + "/" + path }
}

extension TransferStore {
    /// Captures the body file of a request; returns its stored path, nil for a request without one.
    func capture(_ request: TransferRequest) throws(StoreError) -> String? {
        guard case .file(let source) = request.body else { return nil }
        let path = StoreFolder.Area.uploads.rawValue + "/" + UUID().uuidString
        try DurableFiles.capture(source, as: folder.absolute(path))
        return path
    }

    /// Returns the path at which the daemon writes a download's body, in the shared container if the session has one.
    ///
    /// The row is stored before the file exists, so that a crash leaves no file without an owner. A missing file means
    /// that the download starts from the beginning.
    package func partialFile(of key: TransferKey) throws(StoreError) -> String {
        let known = try read { db in
            try db.one(
                String.self, "SELECT path FROM file WHERE task = ? AND role = ?",
                [TransferStore.row(of: key, db), FileRole.partial.rawValue])
        }
        if let known { return folder.absolute(known) }
        let settings = try read { db in try self.settings(ofSession: key.session, db) }
        let path: String
        if let container = settings.sharedContainer {
            let shared = StoreFolder.downloads(inShared: container, identity: identity)
            try DurableFiles.makeFolder(shared)
            path = shared + "/" + UUID().uuidString
        } else {
            path = StoreFolder.Area.downloads.rawValue + "/" + UUID().uuidString
        }
        // After a power cut that undoes this, the file is removed as one without an owner.
        try writeLazily { db in
            try db.run(
                "INSERT INTO file (path, task, role) VALUES (?, ?, ?)",
                [path, TransferStore.row(of: key, db), FileRole.partial.rawValue])
        }
        return folder.absolute(path)
    }

    /// Writes the part of a download to the disk, and then that it has at least this length: after a power cut only this
    /// much of the file is used (`sweep`).
    package func keepReceived(_ count: Int64, of key: TransferKey) throws(StoreError) {
        guard let path = try file(.partial, of: key), DurableFiles.exists(path) else { return }
        try DurableFiles.syncFile(path)
        try write { db in
            try db.run("UPDATE task SET received = ? WHERE id = ?", [count, TransferStore.row(of: key, db)])
        }
    }

    /// Returns the path of a task's file with this role, nil without one.
    package func file(_ role: FileRole, of key: TransferKey) throws(StoreError) -> String? {
        try read { db in
            try db.one(
                String.self, "SELECT path FROM file WHERE task = ? AND role = ?",
                [TransferStore.row(of: key, db), role.rawValue]
            ).map { self.folder.absolute($0) }
        }
    }

    package func resumeData(of key: TransferKey) throws(StoreError) -> Data? {
        try read { db in
            try db.one(Data.self, "SELECT data FROM resume WHERE task = ?", [TransferStore.row(of: key, db)])
        }
    }

    /// Stores what is needed to continue a download after a failure or a restart, for example the validators of its
    /// first response; nil deletes it.
    ///
    /// A power cut may undo it. Validators of an earlier version beside bytes of this one make the server send the whole.
    package func setResumeData(_ data: Data?, of key: TransferKey) throws(StoreError) {
        try writeLazily { db in
            let row = try TransferStore.row(of: key, db)
            guard let data else { return try db.run("DELETE FROM resume WHERE task = ?", [row]) }
            try db.run("INSERT OR REPLACE INTO resume (task, data) VALUES (?, ?)", [row, data])
        }
    }

    func settings(ofSession identifier: String, _ db: Database) throws -> TransferSettings {
        guard let data = try db.one(Data.self, "SELECT settings FROM session WHERE identifier = ?", [identifier]) else {
            throw StoreError.unknownSession(identifier)
        }
        return try TransferWire.decoder.decode(TransferSettings.self, from: data)
    }

    /// Deletes the rows of files and returns their paths, which are removed after the transaction.
    static func dropFiles(ofTask row: Int64, in roles: [FileRole], _ db: Database) throws -> [String] {
        try roles.flatMap { role in
            try String.fetchAll(
                try db.cachedStatement(sql: "DELETE FROM file WHERE task = ? AND role = ? RETURNING path"),
                arguments: [row, role.rawValue])
        }
    }
}
