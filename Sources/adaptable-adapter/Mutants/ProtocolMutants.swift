@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in protocol classes, and in the schemes besides http and https.
    static let serving = [
        SessionMutant(
            "ignores-its-protocol-classes", breaks: ["PROT-01"],
            "ignores the protocol classes of its configuration"
        ) {
            $0.protocols.queriesOwnClasses = false
        },
        SessionMutant(
            "shares-its-protocol-classes", breaks: ["PROT-02"], "also uses the protocol classes of other sessions"
        ) {
            $0.protocols.areBoundToSession = false
        },
        SessionMutant("classes-for-http-alone", breaks: ["PROT-03"], "uses protocol classes for http and https only") {
            $0.protocols.servesNewSchemes = false
        },
        SessionMutant(
            "built-in-goes-first", breaks: ["PROT-04"],
            "uses protocol classes only for schemes that it cannot load itself"
        ) {
            $0.protocols.comesBeforeBuiltIn = false
        },
        SessionMutant(
            "classes-need-a-path", breaks: ["PROT-04"],
            "lets a protocol class load only if there is a network path to the host"
        ) {
            $0.protocols.needsNoPath = false
        },
        SessionMutant(
            "loses-a-class's-body", breaks: ["PROT-05"], "delivers the response of a protocol class without its body"
        ) {
            $0.protocols.deliversWholeBody = false
        },
        SessionMutant(
            "forgets-registered-classes", breaks: ["PROT-06"],
            "ignores the protocol classes registered with the process"
        ) {
            $0.protocols.queriesRegisteredClasses = false
        },
        SessionMutant(
            "no-classes-with-http2", breaks: ["PROT-07"], "ignores protocol classes for servers that may support HTTP/2"
        ) {
            $0.protocols.queriesDespiteHTTP2 = false
        },
        SessionMutant("loads-no-files", breaks: ["PROT-08"], "treats file: as an unknown scheme") {
            $0.protocols.loadsFiles = false
        },
        SessionMutant("loads-no-data-urls", breaks: ["PROT-08"], "treats data: as an unknown scheme") {
            $0.protocols.loadsDataURLs = false
        },
        SessionMutant(
            "hides-the-task-from-classes", breaks: ["STOR-06"], "does not pass the task to a protocol class"
        ) {
            $0.protocols.passesTask = false
        },
    ]
}
