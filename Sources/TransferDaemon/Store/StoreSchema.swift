import GRDB

/// The tables of the store and their versions. A migration is never changed after a release; a new version appends one.
enum StoreSchema {
    /// Marks the file as a transfer store ("AdTr").
    static let applicationID = 0x4164_5472
    static let version = 1

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: first)
        }
        return migrator
    }()

    /// Returns the version of an opened store: 0 for an empty one.
    static func version(of db: Database) throws -> Int {
        guard try db.tableExists("grdb_migrations") else { return 0 }
        let names = try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")
        return names.compactMap(Int.init).max() ?? 0
    }

    // Times are nanoseconds, dates seconds since 1970. AUTOINCREMENT: the order of tasks survives deletions.
    private static let first = """
        CREATE TABLE store (identity TEXT NOT NULL);
        CREATE TABLE session (
            id INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, settings BLOB NOT NULL,
            nextTask INTEGER NOT NULL DEFAULT 1, nextEvent INTEGER NOT NULL DEFAULT 1);
        CREATE TABLE task (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE, number INTEGER NOT NULL,
            kind TEXT NOT NULL, state TEXT NOT NULL, original BLOB NOT NULL, request BLOB, origin TEXT NOT NULL,
            priority REAL NOT NULL, label TEXT, created REAL NOT NULL, earliestBegin REAL,
            sent INTEGER NOT NULL, expectedToSend INTEGER NOT NULL, received INTEGER NOT NULL,
            expectedToReceive INTEGER NOT NULL, clientExpectsToSend INTEGER NOT NULL,
            clientExpectsToReceive INTEGER NOT NULL, discretionary INTEGER NOT NULL, background INTEGER NOT NULL,
            access INTEGER NOT NULL, anchorWall REAL NOT NULL, anchorUptime INTEGER NOT NULL, anchorBoot TEXT NOT NULL,
            begin INTEGER, retry INTEGER, resource INTEGER NOT NULL, resourceRuns INTEGER NOT NULL,
            resourceTimeout INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0, needsDelayedAnswer INTEGER NOT NULL,
            UNIQUE (session, number));
        CREATE INDEX taskUnfinished ON task (session) WHERE state IN ('running', 'canceling') AND kind != 'data';
        CREATE TABLE resume (task INTEGER PRIMARY KEY REFERENCES task (id) ON DELETE CASCADE, data BLOB NOT NULL);
        CREATE TABLE file (
            path TEXT PRIMARY KEY, task INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE, role TEXT NOT NULL);
        CREATE INDEX fileTask ON file (task);
        CREATE TABLE event (
            session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE, number INTEGER NOT NULL,
            task INTEGER REFERENCES task (id) ON DELETE CASCADE, content BLOB NOT NULL,
            PRIMARY KEY (session, number)) WITHOUT ROWID;
        CREATE INDEX eventTask ON event (task);
        CREATE TABLE launch (
            command TEXT PRIMARY KEY, count INTEGER NOT NULL, anchorWall REAL NOT NULL, anchorUptime INTEGER NOT NULL,
            anchorBoot TEXT NOT NULL);
        """
}
