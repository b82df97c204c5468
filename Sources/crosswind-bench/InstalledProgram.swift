import Foundation

/// Programs that a figure needs and the machine may lack.
enum InstalledProgram {
    /// nil: not installed where a package puts it.
    static func path(_ name: String) -> String? {
        ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/"].map { $0 + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
