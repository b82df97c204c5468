import Foundation
import Testing

@testable import AdaptableSession

/// The cases of publicsuffix.org's test file (tests/test_psl.txt) that cover each kind of rule: no rule, a rule of one,
/// two and three labels, a wildcard, an exception, names beyond ASCII in both forms, and a private registry.
struct PublicSuffixListTests {
    @Test(
        arguments: [
            ("COM", nil), ("example.COM", "example.com"), ("WwW.example.COM", "example.com"),
            (".com", nil), (".example", nil), (".example.com", nil), (".example.example", nil),
            ("example", nil), ("example.example", "example.example"), ("b.example.example", "example.example"),
            ("biz", nil), ("domain.biz", "domain.biz"), ("a.b.domain.biz", "domain.biz"),
            ("com", nil), ("example.com", "example.com"), ("a.b.example.com", "example.com"), ("uk.com", nil),
            ("example.uk.com", "example.uk.com"), ("test.ac", "test.ac"),
            ("mm", nil), ("c.mm", nil), ("b.c.mm", "b.c.mm"), ("a.b.c.mm", "b.c.mm"),
            ("jp", nil), ("test.jp", "test.jp"), ("ac.jp", nil), ("test.ac.jp", "test.ac.jp"), ("kyoto.jp", nil),
            ("test.kyoto.jp", "test.kyoto.jp"), ("ide.kyoto.jp", nil), ("a.b.ide.kyoto.jp", "b.ide.kyoto.jp"),
            ("c.kobe.jp", nil), ("b.c.kobe.jp", "b.c.kobe.jp"), ("city.kobe.jp", "city.kobe.jp"),
            ("www.city.kobe.jp", "city.kobe.jp"), ("ck", nil), ("test.ck", nil), ("b.test.ck", "b.test.ck"),
            ("www.ck", "www.ck"), ("www.www.ck", "www.ck"),
            ("us", nil), ("test.us", "test.us"), ("ak.us", nil), ("k12.ak.us", nil),
            ("a.test.k12.ak.us", "test.k12.ak.us"),
            ("食狮.com.cn", "食狮.com.cn"), ("食狮.公司.cn", "食狮.公司.cn"), ("shishi.公司.cn", "shishi.公司.cn"),
            ("公司.cn", nil), ("shishi.中国", "shishi.中国"), ("中国", nil),
            ("xn--85x722f.com.cn", "xn--85x722f.com.cn"),
            ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
            ("xn--55qx5d.cn", nil), ("xn--fiqs8s", nil),
            ("github.io", nil), ("a.ann.github.io", "ann.github.io"), ("10.0.0.1", nil), ("fd00::1", nil), ("", nil),
        ] as [(String, String?)])
    func `the registrable domain is the suffix and one label`(host: String, domain: String?) {
        #expect(PublicSuffixList.system.registrableDomain(host) == domain)
    }

    @Test(arguments: ["com.au", "co.uk", "github.io", "com", "CO.JP", "shops.kawasaki.jp", "kawasaki.jp", "unlisted"])
    func `a registry is a public suffix and a name below it is not`(host: String) {
        #expect(PublicSuffixList.system.isPublicSuffix(host))
        #expect(!PublicSuffixList.system.isPublicSuffix("apple.example.\(host)"))
    }

    @Test(arguments: ["", "example.com", "www.ck", "city.kobe.jp", "10.0.0.1"])
    func `other names are not public suffixes`(host: String) {
        #expect(!PublicSuffixList.system.isPublicSuffix(host))
    }

    @Test func `a program can bring a list of its own`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "suffixes-\(UUID().uuidString)")
        try Data("// comment\ncom\n*.lab\n!www.lab\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let list = try #require(PublicSuffixList(contentsOf: file.path))
        #expect(list.isPublicSuffix("shop.lab"))
        #expect(list.registrableDomain("a.www.lab") == "www.lab")
        #expect(list.registrableDomain("a.co.uk") == "co.uk")
        #expect(PublicSuffixList(contentsOf: "/nonexistent") == nil)
    }
}
