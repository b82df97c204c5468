/// Encodes a task's priority as the field `Priority` (RFC 9218 §4.1): urgency 0 is the highest, 7 the lowest, 3 the
/// default.
package enum StreamPriority {
    /// Returns nil for the default urgency. `priority` is the task's, from 0 to 1.
    package static func field(_ priority: Float, policy: HTTP2Policy) -> String? {
        guard policy.sendsPriority, priority.isFinite else { return nil }
        let urgency = Int((7 * (1 - min(max(priority, 0), 1))).rounded(.down))
        return urgency == 3 ? nil : "u=\(urgency)"
    }
}
