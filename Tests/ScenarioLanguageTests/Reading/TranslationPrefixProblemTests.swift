import Testing

@testable import ScenarioLanguage

struct TranslationPrefixProblemTests {
    @Test(arguments: ["2001:db8::/32", "2001:db8:64::/96", "2001:db8:122:344::/64", "64:ff9b:1::/96", "64:ff9b::/96"])
    func `prefixes of RFC 6052 are usable`(text: String) {
        #expect(NetworkReader.problem(ofTranslationPrefix: text) == nil)
    }

    @Test(arguments: [
        ("2001:db8::/95", "§2.2"), ("2001:db8::1/96", "after its length"),
        ("2001:db8:0:0:ff00::/96", "64 to 71"), ("2001:db8::", "not an IPv6 prefix"),
        ("10.0.0.0/8", "not an IPv6 prefix"),
        ("2001:db8::/x", "not an IPv6 prefix"),
    ])
    func `other prefixes are refused with the reason`(text: String, message: String) {
        #expect(NetworkReader.problem(ofTranslationPrefix: text)?.contains(message) == true)
    }
}
