@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in protocol classes, and in the schemes besides http and https.
    static let serving = [
        SessionMutant(
            "ignores-its-protocol-classes", breaks: ["PROT-01"],
            "does not ask the protocol classes of its configuration"
        ) {
            $0.protocols.queriesOwnClasses = false
        },
        SessionMutant(
            "shares-its-protocol-classes", breaks: ["PROT-02"], "asks the protocol classes of other sessions too"
        ) {
            $0.protocols.areBoundToSession = false
        },
        SessionMutant("classes-for-http-alone", breaks: ["PROT-03"], "asks protocol classes about http and https alone")
        {
            $0.protocols.servesNewSchemes = false
        },
        SessionMutant(
            "built-in-goes-first", breaks: ["PROT-04"], "asks protocol classes only about what it cannot load itself"
        ) {
            $0.protocols.comesBeforeBuiltIn = false
        },
        SessionMutant(
            "classes-need-a-path", breaks: ["PROT-04"], "lets a protocol class load only where the network leads there"
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
            "does not ask the protocol classes that the process knows"
        ) {
            $0.protocols.queriesRegisteredClasses = false
        },
        SessionMutant(
            "no-classes-with-http2", breaks: ["PROT-07"], "asks no protocol class where HTTP/2 might be spoken"
        ) {
            $0.protocols.queriesDespiteHTTP2 = false
        },
        SessionMutant("loads-no-files", breaks: ["PROT-08"], "takes file: for an unknown scheme") {
            $0.protocols.loadsFiles = false
        },
        SessionMutant("loads-no-data-urls", breaks: ["PROT-08"], "takes data: for an unknown scheme") {
            $0.protocols.loadsDataURLs = false
        },
        SessionMutant(
            "hides-the-task-from-classes", breaks: ["STOR-06"], "does not tell a protocol class for which task it loads"
        ) {
            $0.protocols.passesTask = false
        },
    ]
}
