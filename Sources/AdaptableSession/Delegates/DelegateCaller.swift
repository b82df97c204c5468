import Foundation
import FoundationNetworking

/// Calls delegate methods for a task: on the task's own delegate, or on the session's delegate if the task's does not
/// implement the method.
struct DelegateCaller: Sendable {
    let session: AdaptableSession
    let task: AdaptableSessionTask

    /// Returns false if none of the delegates implements the method.
    @discardableResult
    func callTaskDelegate(_ message: (any AdaptableSessionTaskDelegate) -> Void) -> Bool {
        let own = task.delegate
        if let own, OptionalMethodProbe.isImplemented(by: own, { message(own) }) { return true }
        if let behind = (own as? AsyncBodyBuffer)?.behind,
            OptionalMethodProbe.isImplemented(by: behind, { message(behind) })
        {
            return true
        }
        guard let common = session.delegate as? any AdaptableSessionTaskDelegate, own.map({ $0 !== common }) ?? true
        else { return false }
        return OptionalMethodProbe.isImplemented(by: common) { message(common) }
    }

    @discardableResult
    func callDataDelegate(_ message: (any AdaptableSessionDataDelegate, AdaptableSessionDataTask) -> Void) -> Bool {
        guard let dataTask = task as? AdaptableSessionDataTask else { return false }
        return callTaskDelegate { delegate in
            if let delegate = delegate as? any AdaptableSessionDataDelegate {
                message(delegate, dataTask)
            } else {
                _ = OptionalMethodProbe.markMissing(delegate)
            }
        }
    }

    @discardableResult
    func callDownloadDelegate(_ message: (any AdaptableSessionDownloadDelegate, AdaptableSessionDownloadTask) -> Void)
        -> Bool
    {
        guard let download = task as? AdaptableSessionDownloadTask else { return false }
        return callTaskDelegate { delegate in
            if let delegate = delegate as? any AdaptableSessionDownloadDelegate {
                message(delegate, download)
            } else {
                _ = OptionalMethodProbe.markMissing(delegate)
            }
        }
    }

    /// Called when the last callback of the task's load has returned: releases the delegate, which receives no further
    /// calls.
    func leave(_ load: Int) {
        task.delegate = nil
        session.perform { [session] in $0.finished(load, session) }
    }

    /// Calls a method about the connection rather than one request on the session's delegate (AUTH-01). Returns false
    /// if it is not implemented.
    func callSessionDelegate(_ message: (any AdaptableSessionDelegate) -> Void) -> Bool {
        guard let delegate = session.delegate else { return false }
        return OptionalMethodProbe.isImplemented(by: delegate) { message(delegate) }
    }
}
