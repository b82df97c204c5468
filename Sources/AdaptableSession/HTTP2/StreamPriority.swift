/// A task's priority as the field `Priority` (RFC 9218 §4.1): urgency 0 is the highest, 7 the lowest, 3 what is not said.
package enum StreamPriority {
    /// nil when there is nothing to say. `priority` is that of a task, 0…1.
    package static func field(_ priority: Float, policy: HTTP2Policy) -> String? {
        guard policy.sendsPriority, priority.isFinite else { return nil }
        let urgency = Int((7 * (1 - min(max(priority, 0), 1))).rounded(.down))
        return urgency == 3 ? nil : "u=\(urgency)"
    }
}
