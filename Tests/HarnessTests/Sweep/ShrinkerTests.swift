import Testing

@testable import Harness

/// Tests the search for a smaller scenario without any run: a predicate on the text stands for the failure.
@Suite struct ShrinkerTests {
    private static let text = """
        scenario: A body
        proves: [DATA-01]
        tags: [slow]
        origin:
          /a: { size: 1MiB, etag: '"v1"' }
          /b: { text: hello }
          faults:
            - { at: accept, for: { connection: 2 }, do: reset }
            - { at: { responseBody: 65536 }, for: { request: 1 }, do: reset }
            - { at: idle, do: close }
        steps:
          - { data: /a, as: first }
          - { data: /b, as: second }
        expect:
          - { completes: { task: first, error: none } }
          - { consistent: { task: second } }
        """

    /// Shrinks while `fails` holds, and returns the result with the number of proposals.
    private static func shrink(_ text: String = text, while fails: (String) -> Bool) throws -> (text: String, runs: Int)
    {
        var shrinker = try Shrinker(text: text)
        var runs = 0
        while let proposal = try shrinker.next() {
            runs += 1
            try #require(runs < 2_000, "the search does not end")
            if fails(proposal) { shrinker.accept() }
        }
        return (try shrinker.text, runs)
    }

    @Test func `only what the failure needs is left`() throws {
        let (text, _) = try Self.shrink { $0.contains("responseBody") && $0.contains("data: /a") }
        #expect(
            text == """
                scenario: A body
                proves: []
                origin:
                  faults:
                  - at:
                      responseBody: 1
                steps:
                - data: /a
                expect: []

                """)
    }

    @Test func `a number becomes as small as the failure allows`() throws {
        func bytes(_ text: String) -> Int? {
            text.firstMatch(of: /responseBody: ([0-9]+)/).flatMap { Int($0.1) }
        }
        let (text, _) = try Self.shrink { (bytes($0) ?? 0) >= 1_000 }
        #expect(bytes(text) == 1_024, "65536, halved while it is at least 1000")
    }

    @Test func `a failure that needs everything stays as it is, and the search ends`() throws {
        let whole = try ScenarioTree(text: Self.text).text
        let (text, runs) = try Self.shrink { _ in false }
        #expect(text == whole)
        #expect(runs < 200)
    }

    @Test func `shrinking the result again changes nothing`() throws {
        let fails = { (text: String) in text.contains("idle") }
        let once = try Self.shrink(while: fails).text
        #expect(try Self.shrink(once, while: fails).text == once)
    }
}
