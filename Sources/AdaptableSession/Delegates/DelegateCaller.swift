import Foundation
import FoundationNetworking

/// Says a message to whoever hears of a task: its own delegate first, the session's where that one is silent.
struct DelegateCaller: Sendable {
    let session: AdaptableSession
    let task: AdaptableSessionTask

    /// False when nobody implements the message.
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

    /// The last callback of the task's load has returned: nobody is told anything any more, so nobody is held for it.
    func leave(_ load: Int) {
        task.delegate = nil
        session.perform { [session] in $0.finished(load, session) }
    }

    /// A message about the connection rather than one request (AUTH-01).
    func callSessionDelegate(_ message: (any AdaptableSessionDelegate) -> Void) -> Bool {
        guard let delegate = session.delegate else { return false }
        return OptionalMethodProbe.isImplemented(by: delegate) { message(delegate) }
    }
}
