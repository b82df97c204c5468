package import Foundation

/// What tells one version of a file from another without reading it. Of a file that was changed meanwhile the server has the beginning
/// of one version, and would get the end of another.
package struct FileIdentity: Hashable, Sendable {
    package var length: Int64
    /// Seconds, with their fraction as the file system keeps it.
    package var modified: Double
    /// Of the inode: a file that was put in its place may have its time.
    package var number: Int64

    package init(length: Int64, modified: Double, number: Int64) {
        self.length = length
        self.modified = modified
        self.number = number
    }

    /// Of the file as it is now; nil when it cannot be seen.
    package init?(of file: URL) {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: file.path),
            let length = facts[.size] as? NSNumber,
            let modified = facts[.modificationDate] as? Date, let number = facts[.systemFileNumber] as? NSNumber
        else { return nil }
        self.init(
            length: length.int64Value, modified: modified.timeIntervalSinceReferenceDate, number: number.int64Value)
    }
}
