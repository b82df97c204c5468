public import Foundation
import Synchronization
import TransferProtocol

/// The hints of a program for the time of a task. They have an effect on tasks of background sessions only (SCHD-03).
extension AdaptableSessionTask {
    /// The time before which a background session's task causes no network traffic (SCHD-01); it may begin later. nil,
    /// the default, for no such time. When it has come, the delegate is asked for the request to send (SCHD-04).
    public var earliestBeginDate: Date? {
        get { facts.withLock { $0.earliestBeginDate } }
        set {
            facts.withLock { $0.earliestBeginDate = newValue }
            session.background?.changed(self)
        }
    }

    /// The program's estimate of the bytes to send, with the head of the request; `AdaptableSession.transferSizeUnknown`
    /// by default (SCHD-11). It never changes what is transferred.
    public var countOfBytesClientExpectsToSend: Int64 {
        get { facts.withLock { $0.clientExpectsToSend } }
        set {
            facts.withLock { $0.clientExpectsToSend = max(AdaptableSession.transferSizeUnknown, newValue) }
            session.background?.changed(self)
        }
    }

    /// The program's estimate of the bytes to receive, with the head of the response;
    /// `AdaptableSession.transferSizeUnknown` by default (SCHD-11). It never changes what is transferred.
    public var countOfBytesClientExpectsToReceive: Int64 {
        get { facts.withLock { $0.clientExpectsToReceive } }
        set {
            facts.withLock { $0.clientExpectsToReceive = max(AdaptableSession.transferSizeUnknown, newValue) }
            session.background?.changed(self)
        }
    }
}
