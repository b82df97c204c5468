/// The words by which the harness tells the judge how a run went; both sides use these.
package enum HarnessMessages {
    /// The note that marks the beginning of the steps.
    package static let scriptBegins = "the steps begin"
    private static let faultPrefix = "harness fault: "
    private static let latePrefix = "the condition was not kept: "
    private static let unsupportedPrefix = "unsupported: "

    /// Our own side or the machine failed.
    package static func fault(_ reason: String) -> String { faultPrefix + reason }
    /// The adapter said so in its handshake.
    package static func unsupported(_ feature: String) -> String { unsupportedPrefix + feature }

    /// Packets left too late, because the machine was busy: what then goes wrong may be the machine's doing.
    package static func late(_ reason: String) -> String { latePrefix + reason }

    static func isLate(_ note: String) -> Bool { note.hasPrefix(latePrefix) }
    static func fault(in note: String) -> String? {
        note.hasPrefix(faultPrefix) ? String(note.dropFirst(faultPrefix.count)) : nil
    }
    static func unsupported(in note: String) -> String? {
        note.hasPrefix(unsupportedPrefix) ? String(note.dropFirst(unsupportedPrefix.count)) : nil
    }
}

/// Why the harness ended an adapter.
package enum KillReason: String, CaseIterable, Hashable, Sendable {
    /// The scenario's time is over.
    case limit = "timeout"
    /// More requests, connections or events than any right implementation makes.
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
