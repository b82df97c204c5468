import Foundation
import Testing

@testable import AdaptableSession

/// Cases from the test file of publicsuffix.org that cover each kind of rule.
struct PublicSuffixListTests {
    private static let list = PublicSuffixList(
        """
        // comment
        com
        uk.com
        jp
        ac.jp
        *.kobe.jp
        !city.kobe.jp
        *.ck
        !www.ck
        公司.cn
        cn   rest of line
        """)

    @Test(
        arguments: [
            ("com", nil), ("example.com", "example.com"), ("b.example.com", "example.com"), ("uk.com", nil),
            ("example.uk.com", "example.uk.com"),
            ("test.jp", "test.jp"), ("ac.jp", nil), ("test.ac.jp", "test.ac.jp"), ("c.kobe.jp", nil),
            ("b.c.kobe.jp", "b.c.kobe.jp"),
            ("city.kobe.jp", "city.kobe.jp"), ("www.city.kobe.jp", "city.kobe.jp"), ("test.ck", nil),
            ("b.test.ck", "b.test.ck"),
            ("www.www.ck", "www.ck"), ("xn--55qx5d.cn", nil), ("shishi.xn--55qx5d.cn", "shishi.xn--55qx5d.cn"),
            ("unlisted", nil),
            ("b.unlisted", "b.unlisted"), ("10.0.0.1", nil), ("fd00::1", nil),
        ] as [(String, String?)])
    func `the registrable domain is the suffix and one label`(host: String, domain: String?) {
        #expect(Self.list.registrableDomain(host) == domain)
    }

    @Test(arguments: [
        ("bücher", "xn--bcher-kva"), ("公司", "xn--55qx5d"), ("münchen", "xn--mnchen-3ya"), ("рф", "xn--p1ai"),
        ("plain", "plain"),
    ])
    func `labels beyond ASCII are converted to punycode`(label: String, expected: String) {
        #expect(Punycode.label(label) == expected)
    }

    @Test(arguments: ["com.au", "co.uk", "github.io", "com", "co.jp"])
    func `the built-in list and the distribution's list contain the common registries`(host: String) {
        #expect(PublicSuffixList.builtIn.isPublicSuffix(host))
        #expect(PublicSuffixList.system.isPublicSuffix(host))
        #expect(!PublicSuffixList.builtIn.isPublicSuffix("apple.\(host)"))
        #expect(!PublicSuffixList.system.isPublicSuffix("apple.\(host)"))
    }

    @Test func `a missing file is not a list`() {
        #expect(PublicSuffixList(contentsOf: "/nonexistent") == nil)
    }
}
