import Foundation
import GRDB
import TransferProtocol

@testable import TransferDaemon

/// A folder that is removed with the value, and a store in it.
final class TemporaryStore {
    let folder: String
    var store: TransferStore

    init() throws {
        folder = NSTemporaryDirectory() + "transfer-store-" + UUID().uuidString
        store = try TransferStore.open(at: folder, now: Date()).store
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var database: String { folder + "/current/store.sqlite" }

    func reopen() throws -> TransferStore.Opened {
        try store.close()
        let opened = try TransferStore.open(at: folder, now: Date(), boot: moment.boot)
        store = opened.store
        return opened
    }

    /// Writes a file beside the store, as a client would.
    func file(_ name: String, _ content: String) throws -> String {
        let path = folder + "/" + name
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    func names(_ area: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/current/" + area)) ?? []).sorted()
    }
}

func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

let moment = TransferInstant(
    wall: Date(timeIntervalSince1970: 1_700_000_000), uptime: .seconds(1000), boot: UUID())

func settings(_ identifier: String = "s") -> TransferSettings {
    TransferSettings(identifier: identifier, resourceTimeout: 600, launch: TransferLaunch(command: ["/bin/app", "-b"]))
}

func draft(
    _ kind: TransferTask.Kind = .download, session: String = "s", body: TransferRequest.Body? = nil
) -> TransferTask {
    TransferTask(
        session: session, number: 0, kind: kind,
        request: TransferRequest(url: URL(string: "https://Example.com/a")!, method: "PUT", body: body),
        created: moment.wall)
}

func key(_ number: Int, _ session: String = "s") -> TransferKey { TransferKey(session: session, number: number) }
