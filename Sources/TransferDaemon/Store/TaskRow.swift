import Foundation
import GRDB
import TransferProtocol

/// The columns of the table `task`, and their conversion.
enum TaskRow {
    /// The columns that the scheduler needs; reading them decodes no request.
    static let scheduleColumns = """
        task.id, session.identifier, task.number, kind, state, origin, priority, discretionary, background, access,
        anchorWall, anchorUptime, anchorBoot, begin, retry, resource, resourceRuns, resourceTimeout, failures,
        needsDelayedAnswer
        """
    static let taskColumns = """
        session.identifier, task.number, kind, state, original, request, priority, label, created, earliestBegin, sent,
        expectedToSend, received, expectedToReceive, clientExpectsToSend, clientExpectsToReceive, discretionary,
        background, (SELECT path FROM file WHERE file.task = task.id AND role = 'upload') AS upload
        """

    static func insert(
        _ task: TransferTask, session: Int64, timers: TransferTimers, access: PathAccess, resourceTimeout: Duration,
        _ db: Database
    ) throws -> Int64 {
        let encoder = TransferWire.encoder
        let original = try encoder.encode(task.originalRequest)
        let request = task.request == task.originalRequest ? nil : try encoder.encode(task.request)
        let counts = task.counts
        try db.run(
            """
            INSERT INTO task (
                session, number, kind, state, original, request, origin, priority, label, created, earliestBegin, sent,
                expectedToSend, received, expectedToReceive, clientExpectsToSend, clientExpectsToReceive, discretionary,
                background, access, anchorWall, anchorUptime, anchorBoot, begin, retry, resource, resourceRuns,
                resourceTimeout, needsDelayedAnswer)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                session, task.number, task.kind.rawValue, task.state.rawValue, original, request,
                TransferOrigin.of(task.request),
                task.priority, task.label, task.created.timeIntervalSince1970,
                task.earliestBeginDate?.timeIntervalSince1970, counts.sent, counts.expectedToSend, counts.received,
                counts.expectedToReceive, counts.clientExpectsToSend, counts.clientExpectsToReceive,
                task.isDiscretionary, task.wasCreatedInBackground, access.rawValue,
                timers.anchor.wall.timeIntervalSince1970, timers.anchor.uptime.nanoseconds,
                timers.anchor.boot.uuidString, timers.begin?.nanoseconds, timers.retry?.nanoseconds,
                timers.resource.nanoseconds, timers.resourceRuns, resourceTimeout.nanoseconds,
                task.earliestBeginDate != nil,
            ])
        return db.lastInsertedRowID
    }

    static func task(_ row: Row, _ folder: StoreFolder) throws -> TransferTask {
        let decoder = TransferWire.decoder
        let original = try decoder.decode(TransferRequest.self, from: row["original"] as Data)
        var request =
            try (row["request"] as Data?).map { try decoder.decode(TransferRequest.self, from: $0) } ?? original
        if let upload: String = row["upload"] { request.body = .file(path: folder.absolute(upload)) }
        var task = TransferTask(
            session: row["identifier"], number: row["number"], kind: try value(row, "kind"), request: original,
            state: try value(row, "state"),
            counts: TransferCounts(
                sent: row["sent"], expectedToSend: row["expectedToSend"], received: row["received"],
                expectedToReceive: row["expectedToReceive"], clientExpectsToSend: row["clientExpectsToSend"],
                clientExpectsToReceive: row["clientExpectsToReceive"]),
            priority: row["priority"], label: row["label"],
            earliestBeginDate: (row["earliestBegin"] as Double?).map(Date.init(timeIntervalSince1970:)),
            isDiscretionary: row["discretionary"], wasCreatedInBackground: row["background"],
            created: Date(timeIntervalSince1970: row["created"]))
        task.request = request
        return task
    }

    static func scheduled(_ row: Row) throws -> ScheduledTask {
        ScheduledTask(
            key: TransferKey(session: row[1], number: row[2]), kind: try value(row, "kind"),
            state: try value(row, "state"), origin: row[5], order: row[0], priority: row[6], isDiscretionary: row[7],
            wasCreatedInBackground: row[8], access: PathAccess(rawValue: row[9]),
            timers: TransferTimers(
                anchor: try instant(row), begin: (row[13] as Int64?).map { .nanoseconds($0) },
                retry: (row[14] as Int64?).map { .nanoseconds($0) }, resource: .nanoseconds(row[15] as Int64),
                resourceRuns: row[16]),
            resourceTimeout: .nanoseconds(row[17] as Int64), failures: row[18], needsDelayedDecision: row[19])
    }

    static func instant(_ row: Row) throws -> TransferInstant {
        guard let boot = UUID(uuidString: row["anchorBoot"]) else { throw unreadable("anchorBoot") }
        return TransferInstant(
            wall: Date(timeIntervalSince1970: row["anchorWall"]),
            uptime: .nanoseconds(row["anchorUptime"] as Int64), boot: boot)
    }

    static func setTimers(_ timers: TransferTimers, ofTask row: Int64, _ db: Database) throws {
        try db.run(
            """
            UPDATE task SET anchorWall = ?, anchorUptime = ?, anchorBoot = ?, begin = ?, retry = ?, resource = ?,
                resourceRuns = ? WHERE id = ?
            """,
            [
                timers.anchor.wall.timeIntervalSince1970, timers.anchor.uptime.nanoseconds,
                timers.anchor.boot.uuidString, timers.begin?.nanoseconds, timers.retry?.nanoseconds,
                timers.resource.nanoseconds, timers.resourceRuns, row,
            ])
    }

    private static func value<Value: RawRepresentable<String>>(_ row: Row, _ column: String) throws -> Value {
        guard let value = Value(rawValue: row[column]) else { throw unreadable(column) }
        return value
    }

    private static func unreadable(_ column: String) -> StoreError {
        .damaged(path: "store.sqlite", reason: "the column \(column) holds an unknown value")
    }
}
