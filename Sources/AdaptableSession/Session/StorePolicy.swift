/// The rules for using the stores of cookies, cached responses and credentials.
package struct StorePolicy: Hashable, Sendable {
    /// Use the stores of the configuration (CONF-16).
    package var usesConfigured = true
    /// Call the variants of the store methods that take the task (STOR-01, STOR-03, STOR-04).
    package var passesTaskToStore = true
    /// Wait for stores that reply asynchronously (STOR-02).
    package var waitsForStores = true
    /// Show the current request in the task, so that stores can use it (STOR-05).
    package var showsCurrentRequest = true

    package init() {}
}
