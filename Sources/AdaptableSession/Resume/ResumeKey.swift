package import Foundation
import OpenSSLTLS

/// What resume data is sealed with: a secret of this user on this machine.
///
/// Resume data names a file that is written to and a server that is asked. Whoever could alter it would write to a file of their choice
/// with the program's rights, so it is believed only from the hands of this user's own sessions. Nothing is lost by that: the part of a
/// download that the data goes on from lies on this machine too.
package struct ResumeKey: Hashable, Sendable {
    package static let length = 32
    let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// This user's, made when it is first needed. Where no file can be kept, a key for as long as the program runs.
    package static let ofUser: ResumeKey = folder().flatMap(kept) ?? fresh()

    /// `$XDG_DATA_HOME`, else `~/.local/share` (XDG Base Directory Specification).
    static func folder(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL? {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return URL(fileURLWithPath: data).appendingPathComponent("AdaptableSession")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return URL(fileURLWithPath: home).appendingPathComponent(".local/share/AdaptableSession")
    }

    /// The key that lies in the folder; where there is none that is whole and nobody else's to read, a new one is laid there. nil: the
    /// folder cannot be written.
    package static func kept(in folder: URL) -> ResumeKey? {
        let manager = FileManager.default
        let place = folder.appendingPathComponent("resume-key")
        let aside = folder.appendingPathComponent("resume-key-\(UUID().uuidString)")
        defer { try? manager.removeItem(at: aside) }
        if manager.fileExists(atPath: place.path) {
            if let key = read(place) { return key }
            try? manager.moveItem(at: place, to: aside)
            // Another program may have put a good one in its place meanwhile.
            if read(aside) != nil { try? manager.linkItem(at: aside, to: place) }
            try? manager.removeItem(at: aside)
        }
        try? manager.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // The mode first, then the secret.
        guard manager.createFile(atPath: aside.path, contents: Data(), attributes: [.posixPermissions: 0o600]),
            let file = try? FileHandle(forWritingTo: aside), (try? file.write(contentsOf: Data(fresh().bytes))) != nil,
            (try? file.synchronize()) != nil, (try? file.close()) != nil
        else { return nil }
        // A link is made whole or not at all: of programs that begin at once, all go on with the key that came first.
        try? manager.linkItem(at: aside, to: place)
        return read(place)
    }

    /// nil: not a whole key, or one that others may read.
    private static func read(_ place: URL) -> ResumeKey? {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: place.path),
            facts[.type] as? FileAttributeType == .typeRegular,
            let mode = facts[.posixPermissions] as? Int, mode & 0o077 == 0, let data = try? Data(contentsOf: place),
            data.count == length
        else { return nil }
        return ResumeKey(bytes: Array(data))
    }

    private static func fresh() -> ResumeKey {
        var generator = SystemRandomNumberGenerator()
        return ResumeKey(bytes: (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
