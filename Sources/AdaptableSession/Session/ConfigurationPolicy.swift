/// The rules for a session's handling of configuration objects.
package struct ConfigurationPolicy: Hashable, Sendable {
    /// Copy the configuration, so that later changes do not affect the session (CONF-01).
    package var isCopied = true
    /// Return a copy of the configuration from `configuration` (CONF-02).
    package var returnsCopy = true

    package init() {}
}
