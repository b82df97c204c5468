package import Foundation

/// A message of the daemon to a program.
package enum TransferMessage: Codable, Hashable, Sendable {
    /// The reply to `hello`. `tasks` are all that have not ended or whose end the client has not acknowledged;
    /// `nextTask` is the next number to use. Another `store` than before means that the earlier one was damaged: its
    /// tasks are lost and the numbers of events begin again.
    case welcome(version: Int, store: String, nextTask: Int, tasks: [TransferTask])
    /// The end of a command. Without a failure its effect is stored.
    case reply(command: Int, failure: TransferFailure?, resumeData: Data?)
    case event(event: TransferEvent)
    /// The connection is of no use; the daemon closes it.
    case refused(reason: TransferRefusal, message: String)
    /// The reply to `list`.
    case listing(sessions: [TransferListing])
    /// A line of the log, for `watch`.
    case log(line: String)
}

/// Why the daemon does not serve a connection.
package enum TransferRefusal: String, Codable, Hashable, Sendable, CaseIterable {
    /// Another process uses the identifier (BKGD-29).
    case identifierInUse
    /// The program speaks another version of the protocol.
    case otherVersion
    /// The store cannot be used, for example because a newer version wrote it.
    case storeUnusable
    /// The message was not understood.
    case invalid
}

/// A background session as a person sees it.
package struct TransferListing: Codable, Hashable, Sendable {
    package var settings: TransferSettings
    /// The process that is connected; nil for none.
    package var process: Int32?
    package var tasks: [TransferTask]
    /// The durable events that were not acknowledged.
    package var undelivered: Int

    package init(settings: TransferSettings, process: Int32?, tasks: [TransferTask], undelivered: Int) {
        self.settings = settings
        self.process = process
        self.tasks = tasks
        self.undelivered = undelivered
    }
}
