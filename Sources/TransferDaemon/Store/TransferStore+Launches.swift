import Foundation
import GRDB
package import TransferProtocol

extension TransferStore {
    /// Returns the pacing of a client program, which all its sessions share.
    package func pacing(of launch: TransferLaunch) throws(StoreError) -> LaunchPacing {
        try read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM launch WHERE command = ?", arguments: [TransferStore.text(launch)])
            return try row.map { LaunchPacing(count: $0["count"], last: try TaskRow.instant($0)) } ?? LaunchPacing()
        }
    }

    /// Stores the pacing of a client program. Store a launch before it is made: a crash in between delays the next one
    /// instead of repeating this one.
    package func setPacing(_ pacing: LaunchPacing, of launch: TransferLaunch) throws(StoreError) {
        try write { db in
            let command = try TransferStore.text(launch)
            guard let last = pacing.last else {
                return try db.run("DELETE FROM launch WHERE command = ?", [command])
            }
            try db.run(
                """
                INSERT OR REPLACE INTO launch (command, count, anchorWall, anchorUptime, anchorBoot)
                VALUES (?, ?, ?, ?, ?)
                """,
                [
                    command, pacing.count, last.wall.timeIntervalSince1970, last.uptime.nanoseconds,
                    last.boot.uuidString,
                ])
        }
    }

    private static func text(_ launch: TransferLaunch) throws -> String {
        String(decoding: try TransferWire.encoder.encode(launch.command), as: UTF8.self)
    }
}
