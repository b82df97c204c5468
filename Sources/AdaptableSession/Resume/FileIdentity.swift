package import Foundation

/// The properties that identify a version of a file without reading it. If a file changed during an upload, the server
/// has the beginning of one version and would receive the end of another.
package struct FileIdentity: Hashable, Sendable {
    package var length: Int64
    /// The modification time in seconds since 2001 (`timeIntervalSinceReferenceDate`), with the fraction that the file
    /// system stores.
    package var modified: Double
    /// The inode number: a replaced file may have the same modification time.
    package var number: Int64

    package init(length: Int64, modified: Double, number: Int64) {
        self.length = length
        self.modified = modified
        self.number = number
    }

    /// Reads the properties of a file, or of the one that a symbolic link leads to; returns nil when they cannot be read.
    package init?(of file: URL) {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path),
            let length = facts[.size] as? NSNumber,
            let modified = facts[.modificationDate] as? Date, let number = facts[.systemFileNumber] as? NSNumber
        else { return nil }
        self.init(
            length: length.int64Value, modified: modified.timeIntervalSinceReferenceDate, number: number.int64Value)
    }
}
