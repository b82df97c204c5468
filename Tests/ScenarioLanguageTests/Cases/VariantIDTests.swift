import Testing

@testable import ScenarioLanguage

@Suite struct VariantIDTests {
    @Test(arguments: [
        ("resume/reset", VariantID(base: "resume/reset")),
        ("resume/reset@lte", VariantID(base: "resume/reset", network: "lte")),
        ("resume/reset[at-4096]", VariantID(base: "resume/reset", row: "at-4096")),
        ("resume/reset[at-4096]@nat64-lte", VariantID(base: "resume/reset", row: "at-4096", network: "nat64-lte")),
        // Marks without a name belong to the base.
        ("a@", VariantID(base: "a@")), ("@lte", VariantID(base: "@lte")), ("a[]", VariantID(base: "a[]")),
        ("a@b/c", VariantID(base: "a@b/c")),
    ])
    func `an id is split and joined without loss`(text: String, id: VariantID) {
        #expect(VariantID(text) == id)
        #expect(id.description == text)
    }

    private static let known = ["a", "a@lte", "a@edge", "b[x]", "b[y]", "b[x]@lte", "b[y]@lte"].map { VariantID($0) }

    /// A dependency is looked for on the same network first, because a run on another network shows nothing about it.
    @Test(
        arguments: [
            ("c", "a", ["a"]), ("c@lte", "a", ["a@lte"]), ("c@edge", "b", ["b[x]", "b[y]"]),
            ("c@lte", "b", ["b[x]@lte", "b[y]@lte"]), ("c@lte", "b[y]", ["b[y]@lte"]), ("c", "a@edge", ["a@edge"]),
            ("c@lte", "nothing", []), ("c@3g", "a", ["a"]),
        ] as [(String, String, [String])])
    func `a dependency is resolved on the same network`(run: String, dependency: String, found: [String]) {
        #expect(VariantID(run).resolving(dependency, among: Self.known).map(\.description) == found)
    }
}
