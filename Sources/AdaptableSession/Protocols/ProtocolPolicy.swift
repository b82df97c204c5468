/// The rules for choosing protocol classes and delivering what they load.
package struct ProtocolPolicy: Hashable, Sendable {
    /// Query the classes of the session's configuration (PROT-01).
    package var queriesOwnClasses = true
    /// Keep the configuration's classes private to the session (PROT-02).
    package var areBoundToSession = true
    /// Query the classes registered for the process after them (PROT-06).
    package var queriesRegisteredClasses = true
    /// Query classes for every scheme (PROT-03); false: only for http and https.
    package var servesNewSchemes = true
    /// Query classes before the session handles a request itself (PROT-04).
    package var comesBeforeBuiltIn = true
    /// Start loads of protocol classes without a network path (PROT-04).
    package var needsNoPath = true
    /// Query classes also for servers that might use HTTP/2 (PROT-07).
    package var queriesDespiteHTTP2 = true
    /// Pass the task to the protocol object (STOR-06).
    package var passesTask = true
    /// Deliver every body chunk that a class sends (PROT-05).
    package var deliversWholeBody = true
    /// Load `file:` URLs (PROT-08).
    package var loadsFiles = true
    package var loadsDataURLs = true

    package init() {}
}
