import Foundation

/// The places of the store's files.
///
/// Everything lies in one folder, `current`, so that a damaged store is moved aside with its files by one rename(2).
struct StoreFolder: Sendable {
    let root: String

    var current: String { root + "/current" }
    var database: String { current + "/store.sqlite" }
    /// Space that a full disk leaves for the ends of transfers.
    var reserve: String { current + "/reserve" }

    /// Files of the daemon, or with a shared container those that are delivered into it.
    enum Area: String, CaseIterable {
        case uploads, downloads
    }

    func area(_ area: Area) -> String { current + "/" + area.rawValue }

    /// Returns the folder for downloads in a shared container. The identity of the store is part of the name, so that a
    /// new store leaves the files of one that was moved aside alone.
    static func downloads(inShared container: String, identity: String) -> String {
        container + "/.adaptable-transfers/" + identity
    }

    func prepare() throws(StoreError) {
        try DurableFiles.makeFolder(current)
        for area in Area.allCases { try DurableFiles.makeFolder(self.area(area)) }
    }

    /// Moves the store with all its files aside; returns the new path.
    func moveAside(at date: Date) throws(StoreError) -> String {
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withYear, .withMonth, .withDay, .withTime, .withTimeZone]
        let base = root + "/damaged-" + format.string(from: date).replacingOccurrences(of: ":", with: "")
        var target = base
        var count = 1
        while DurableFiles.exists(target) {
            count += 1
            target = base + "-\(count)"
        }
        try DurableFiles.rename(current, to: target)
        return target
    }
}
