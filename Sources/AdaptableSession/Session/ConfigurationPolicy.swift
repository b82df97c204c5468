/// What a session has to do with configuration objects.
package struct ConfigurationPolicy: Hashable, Sendable {
    /// What the caller does to the configuration afterwards changes nothing in the session (CONF-01).
    package var isCopied = true
    /// What a session gives when it is asked for its configuration is a copy (CONF-02).
    package var returnsCopy = true

    package init() {}
}
