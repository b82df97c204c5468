/// Which protocol classes load what.
package struct ProtocolPolicy: Hashable, Sendable {
    /// The classes of the session's configuration are asked (PROT-01).
    package var queriesOwnClasses = true
    /// They are no other session's (PROT-02).
    package var areBoundToSession = true
    /// Those that the process knows are asked behind them (PROT-06).
    package var queriesRegisteredClasses = true
    /// They are asked about every scheme (PROT-03); false: about http and https alone.
    package var servesNewSchemes = true
    /// They are asked before the session handles a request itself (PROT-04).
    package var comesBeforeBuiltIn = true
    /// What a class loads needs no network (PROT-04).
    package var needsNoPath = true
    /// They are asked where a server might be spoken to in HTTP/2 too (PROT-07).
    package var queriesDespiteHTTP2 = true
    /// An object knows the task for which it loads (STOR-06).
    package var passesTask = true
    /// Everything that a class tells of the body is delivered (PROT-05).
    package var deliversWholeBody = true
    /// `file:` and `data:` are loaded (PROT-08).
    package var loadsFiles = true
    package var loadsDataURLs = true

    package init() {}
}
