package import Foundation

/// A task of a background session, as client and daemon both know it.
package struct TransferTask: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// Runs only while the client does (BKGD-12).
        case data
        case download
        case upload
    }

    /// The states of `URLSessionTask.State`.
    package enum State: String, Codable, Sendable, CaseIterable {
        case running, suspended, canceling, completed
    }

    /// The identifier of the session.
    package var session: String
    /// The task's number in its session, `taskIdentifier` of the client: from 1, never reused.
    package var number: Int
    package var kind: Kind
    /// The request that the client gave.
    package var originalRequest: TransferRequest
    /// The request after `willBeginDelayedRequest`; the daemon sends this one.
    package var request: TransferRequest
    package var state: State
    package var counts: TransferCounts
    /// 0…1, default 0.5.
    package var priority: Double
    /// `taskDescription`.
    package var label: String?
    /// The time before which the task causes no network traffic (SCHD-01).
    package var earliestBeginDate: Date?
    /// `isDiscretionary` of the session when the task was made.
    package var isDiscretionary: Bool
    /// True for a task made while the client was in the background, which makes it discretionary (DISC-03) until the
    /// client comes to the foreground (DISC-04).
    package var wasCreatedInBackground: Bool
    /// The client's wall clock when the task was made.
    package var created: Date

    package init(
        session: String, number: Int, kind: Kind, request: TransferRequest, state: State = .suspended,
        counts: TransferCounts = TransferCounts(), priority: Double = 0.5, label: String? = nil,
        earliestBeginDate: Date? = nil, isDiscretionary: Bool = false, wasCreatedInBackground: Bool = false,
        created: Date
    ) {
        self.session = session
        self.number = number
        self.kind = kind
        originalRequest = request
        self.request = request
        self.state = state
        self.counts = counts
        self.priority = priority
        self.label = label
        self.earliestBeginDate = earliestBeginDate
        self.isDiscretionary = isDiscretionary
        self.wasCreatedInBackground = wasCreatedInBackground
        self.created = created
    }
}

/// The byte counts of a task; -1 stands for unknown, as `NSURLSessionTransferSizeUnknown` does.
package struct TransferCounts: Codable, Hashable, Sendable {
    package static let unknown: Int64 = -1

    package var sent: Int64
    package var expectedToSend: Int64
    package var received: Int64
    package var expectedToReceive: Int64
    /// The estimates of the client, for scheduling only (SCHD-11, SCHD-12).
    package var clientExpectsToSend: Int64
    package var clientExpectsToReceive: Int64

    package init(
        sent: Int64 = 0, expectedToSend: Int64 = unknown, received: Int64 = 0, expectedToReceive: Int64 = unknown,
        clientExpectsToSend: Int64 = unknown, clientExpectsToReceive: Int64 = unknown
    ) {
        self.sent = sent
        self.expectedToSend = expectedToSend
        self.received = received
        self.expectedToReceive = expectedToReceive
        self.clientExpectsToSend = clientExpectsToSend
        self.clientExpectsToReceive = clientExpectsToReceive
    }
}
