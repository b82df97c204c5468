package import Foundation
import OpenSSLTLS

/// The HMAC key for resume data: a secret of this user on this machine.
///
/// Resume data names a file to write to and a server to contact. An attacker who could change it would write to any
/// file with the program's permissions, so only data created by this user's own sessions is accepted. This loses
/// nothing: the partial download is stored on this machine too.
package struct ResumeKey: Hashable, Sendable {
    package static let length = 32
    let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The key of this user, created on first use. If it cannot be stored, a key that is valid while the program runs.
    package static let ofUser: ResumeKey =
        SessionPolicies.installed.downloadResume.keepsKey ? folder().flatMap(kept) ?? fresh() : fresh()

    /// `$XDG_DATA_HOME`, else `~/.local/share` (XDG Base Directory Specification).
    static func folder(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL? {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return URL(fileURLWithPath: data).appendingPathComponent("AdaptableSession")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return URL(fileURLWithPath: home).appendingPathComponent(".local/share/AdaptableSession")
    }

    /// Returns the key stored in the folder. If it is missing, incomplete or readable by other users, creates a new
    /// one. nil: the folder is not writable.
    package static func kept(in folder: URL) -> ResumeKey? {
        let manager = FileManager.default
        let place = folder.appendingPathComponent("resume-key")
        let aside = folder.appendingPathComponent("resume-key-\(UUID().uuidString)")
        defer { try? manager.removeItem(at: aside) }
        if manager.fileExists(atPath: place.path) {
            if let key = read(place) { return key }
            try? manager.moveItem(at: place, to: aside)
            // Another program may have stored a valid key there in the meantime.
            if read(aside) != nil { try? manager.linkItem(at: aside, to: place) }
            try? manager.removeItem(at: aside)
        }
        try? manager.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // The file mode is set before the secret is written.
        guard manager.createFile(atPath: aside.path, contents: Data(), attributes: [.posixPermissions: 0o600]),
            let file = try? FileHandle(forWritingTo: aside), (try? file.write(contentsOf: Data(fresh().bytes))) != nil,
            (try? file.synchronize()) != nil, (try? file.close()) != nil
        else { return nil }
        // Creating a link is atomic: programs that start at the same time all use the key that was stored first.
        try? manager.linkItem(at: aside, to: place)
        return read(place)
    }

    /// Reads a key; returns nil when it is incomplete or accessible to other users.
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
