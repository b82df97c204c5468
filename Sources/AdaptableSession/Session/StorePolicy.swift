/// How a session speaks with its stores of cookies, cached responses and credentials.
package struct StorePolicy: Hashable, Sendable {
    /// It asks those that its configuration names (CONF-16).
    package var usesConfigured = true
    /// It asks and tells them through the variants that take the task (STOR-01, STOR-03, STOR-04).
    package var passesTaskToStore = true
    /// A load waits for an answer that comes later (STOR-02).
    package var waitsForStores = true
    /// The task shows the request that is being made, so that stores can work from it (STOR-05).
    package var showsCurrentRequest = true

    package init() {}
}
