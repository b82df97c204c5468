import Foundation
import GRDB
import Glibc

/// An error of the daemon's store. Work that was accepted before it stays stored.
package enum StoreError: Error, Hashable, CustomStringConvertible {
    /// The store was written by a newer daemon. It was not changed.
    case newerVersion(path: String, found: Int, known: Int)
    /// Another process has the store open.
    case inUse(path: String)
    /// The disk or the user's quota is full. Nothing of the refused operation remains.
    case full(path: String)
    case damaged(path: String, reason: String)
    case unknownSession(String)
    case unknownTask(session: String, number: Int)
    /// The session had a task with this number before.
    case usedNumber(session: String, number: Int)
    case notAFile(path: String)
    case system(call: String, path: String, errno: CInt)
    case database(path: String, reason: String)

    package var description: String {
        switch self {
        case .newerVersion(let path, let found, let known):
            "cannot open the transfer store \(path): it has version \(found), and this daemon knows versions up to "
                + "\(known). Start the newer daemon, or move the folder away"
        case .inUse(let path): "cannot open the transfer store \(path): another daemon has it open"
        case .full(let path): "cannot write to \(path): the disk or the quota is full. Free space and try again"
        case .damaged(let path, let reason): "the transfer store \(path) is damaged: \(reason)"
        case .unknownSession(let identifier): "the background session \"\(identifier)\" does not exist"
        case .unknownTask(let session, let number): "the session \"\(session)\" does not have a task \(number)"
        case .usedNumber(let session, let number): "the session \"\(session)\" had a task \(number) before"
        case .notAFile(let path): "cannot upload \(path): not a regular file"
        case .system(let call, let path, let errno):
            "\(call) failed for \(path): \(unsafe String(cString: strerror(errno)))"
        case .database(let path, let reason): "the transfer store \(path) failed: \(reason)"
        }
    }

    static func system(_ call: String, _ path: String, _ code: CInt = errno) -> StoreError {
        code == ENOSPC || code == EDQUOT ? .full(path: path) : .system(call: call, path: path, errno: code)
    }

    /// Converts an error of GRDB; other errors are those of this module.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError:
            let reason = error.message ?? "SQLite result \(error.extendedResultCode.rawValue)"
            if error.extendedResultCode == .SQLITE_IOERR_SHMSIZE {
                self = .full(path: path)
                return
            }
            switch error.resultCode {
            case .SQLITE_FULL: self = .full(path: path)
            case .SQLITE_BUSY, .SQLITE_LOCKED: self = .inUse(path: path)
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(path: path, reason: reason)
            default: self = .database(path: path, reason: reason)
            }
        default: self = .database(path: path, reason: String(describing: error))
        }
    }
}
