/// Every check that a scenario can name; a new one is its file and a line here.
package enum CheckCatalogue {
    package static let all: [any Check.Type] = [
        CompletesCheck.self,
        OrderCheck.self,
        SequenceCheck.self,
        BeforeCheck.self,
        NeverCheck.self,
        CountCheck.self,
        TimingCheck.self,
        ResponseCheck.self,
        BodyCheck.self,
        FileCheck.self,
        ResumesCheck.self,
        ProgressCheck.self,
        WaitsCheck.self,
        ChallengeCheck.self,
        RedirectCheck.self,
        InspectedCheck.self,
        InvalidatedCheck.self,
        RequestCheck.self,
        RequestsCheck.self,
        ConnectionsCheck.self,
        NamesCheck.self,
        PacketsCheck.self,
        LinkCheck.self,
    ]
}
