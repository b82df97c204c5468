package import ScenarioLanguage

/// Every check that a scenario can name; to add one, add its file and a line here.
package enum CheckCatalogue {
    package static let all: [any Check.Type] = [
        CompletesCheck.self,
        SucceedsCheck.self,
        ConsistentCheck.self,
        OrderCheck.self,
        SequenceCheck.self,
        BeforeCheck.self,
        NeverCheck.self,
        CountCheck.self,
        TimingCheck.self,
        ResponseCheck.self,
        BodyCheck.self,
        FileCheck.self,
        RetainedCheck.self,
        HeldCheck.self,
        ResumeOffsetCheck.self,
        ProgressCheck.self,
        WaitsCheck.self,
        ChallengeCheck.self,
        RedirectCheck.self,
        InspectedCheck.self,
        MetricsCheck.self,
        CallbacksCheck.self,
        ProgressReadCheck.self,
        ProgressWatchedCheck.self,
        ProtocolClassCheck.self,
        StreamReadCheck.self,
        CachedCheck.self,
        InvalidatedCheck.self,
        RequestCheck.self,
        RequestsCheck.self,
        ConnectionsCheck.self,
        OpenConnectionsCheck.self,
        ClosedCheck.self,
        TLSCheck.self,
        DNSQueriesCheck.self,
        ProxyRequestCheck.self,
        DirectConnectionsCheck.self,
        FramesCheck.self,
        PacketsCheck.self,
        LinkCheck.self,
        MemoryCheck.self,
        PropertyCheck.self,
        ListedCheck.self,
        StoreAccessCheck.self,
        FilesLeftCheck.self,
        RelaunchesCheck.self,
        ConnectionOwnerCheck.self,
        DeliveredOnceCheck.self,
        BeginsCheck.self,
        TransfersWhileCheck.self,
    ]
}

extension ScenarioReader {
    /// Reads one file with the checks of the catalogue.
    package static func read(path: String, requirements: Set<String>? = nil) -> Result<Scenario, ScenarioErrors> {
        read(path: path, checks: CheckCatalogue.all, requirements: requirements)
    }

    package static func read(file: String, text: String, requirements: Set<String>? = nil) -> Result<
        Scenario, ScenarioErrors
    > {
        read(file: file, text: text, checks: CheckCatalogue.all, requirements: requirements)
    }

    /// Reads the runs of one file with the checks of the catalogue.
    package static func cases(
        path: String, requirements: Set<String>? = nil, on selection: NetworkSelection = .asWritten
    ) -> Result<ScenarioCases, ScenarioErrors> {
        cases(path: path, checks: CheckCatalogue.all, requirements: requirements, on: selection)
    }
}

extension SchemaPrinter {
    /// Prints the schema of the language with the checks of the catalogue.
    package static func schema() -> String { schema(checks: CheckCatalogue.all) }
}

extension LanguageReference {
    /// The language with the checks of the catalogue.
    package init() { self.init(checks: CheckCatalogue.all) }
}

extension KeyValue {
    /// Returns the keys of a file, with the checks of the catalogue.
    package static func all(file: String, text: String) throws(ScenarioError) -> [KeyValue] {
        try all(file: file, text: text, checks: CheckCatalogue.all)
    }
}
