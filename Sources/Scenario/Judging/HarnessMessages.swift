/// The texts of the harness's notes in the record, which the judge reads; both sides use these.
package enum HarnessMessages {
    /// The note at the start of the steps.
    package static let scriptBegins = "the steps begin"
    private static let faultPrefix = "harness fault: "
    private static let latePrefix = "the condition was not kept: "
    private static let unsupportedPrefix = "unsupported: "

    /// The harness or the machine failed.
    package static func fault(_ reason: String) -> String { faultPrefix + reason }
    /// The adapter reported in its handshake that it does not support this feature.
    package static func unsupported(_ feature: String) -> String { unsupportedPrefix + feature }

    /// Packets were sent too late because the machine was busy; later failures may be caused by that.
    package static func late(_ reason: String) -> String { latePrefix + reason }

    static func isLate(_ note: String) -> Bool { note.hasPrefix(latePrefix) }
    static func fault(in note: String) -> String? {
        note.hasPrefix(faultPrefix) ? String(note.dropFirst(faultPrefix.count)) : nil
    }
    static func unsupported(in note: String) -> String? {
        note.hasPrefix(unsupportedPrefix) ? String(note.dropFirst(unsupportedPrefix.count)) : nil
    }
}

/// The reason that the harness ended an adapter.
package enum KillReason: String, CaseIterable, Hashable, Sendable {
    /// The scenario's timeout has expired.
    case limit = "timeout"
    /// More requests, connections or events than a correct implementation produces.
    case flood
    case violation

    package func note(_ text: String) -> String { "\(rawValue): \(text)" }

    static func parse(_ note: String) -> (reason: KillReason, text: String)? {
        for reason in allCases where note.hasPrefix("\(reason.rawValue): ") {
            return (reason, String(note.dropFirst(reason.rawValue.count + 2)))
        }
        return nil
    }
}
