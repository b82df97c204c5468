import Foundation
import Testing

@testable import AdaptableSession

struct ContentEncodingTests {
    private func offer(_ url: String, _ fields: HeaderFields = [:], _ policy: EncodingPolicy = EncodingPolicy())
        -> String?
    {
        ContentEncoding(policy: policy).offer(for: URL(string: url)!, fields: fields)
    }

    @Test func `Brotli is offered over https only`() {
        #expect(offer("https://h.test/") == "gzip, deflate, br")
        #expect(offer("http://h.test/") == "gzip, deflate")
    }

    @Test func `a range is requested without encodings, and the request's own field is kept`() {
        #expect(offer("https://h.test/", ["Range": "bytes=1-"]) == "identity")
        #expect(offer("https://h.test/", ["accept-encoding": "zstd"]) == nil)
        var policy = EncodingPolicy()
        policy.offersWithRange = true
        policy.offeredPlainly = [.brotli]
        #expect(offer("http://h.test/", ["Range": "bytes=1-"], policy) == "br")
        policy.offeredPlainly = []
        #expect(offer("http://h.test/", [:], policy) == "identity")
    }

    @Test(arguments: [
        ("gzip", [ContentCoding.gzip]), ("X-GZIP", [.gzip]), ("identity, deflate", [.deflate]),
        ("gzip, br", [.brotli, .gzip]), ("br", [.brotli]),
    ])
    func `the encoding applied last is decoded first`(value: String, codings: [ContentCoding]) {
        #expect(
            ContentEncoding().plan(method: "GET", status: 200, fields: ["Content-Encoding": value]) == .decode(codings))
    }

    @Test(arguments: ["", "identity", "zstd", "gzip, zstd", "gzip, gzip, gzip, gzip, gzip"])
    func `unknown or too many encodings are left unchanged`(value: String) {
        #expect(ContentEncoding().plan(method: "GET", status: 200, fields: ["Content-Encoding": value]) == .asItIs)
    }

    @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304), ("GET", 206)])
    func `a response without a body or with a partial body is not decoded`(method: String, status: Int) {
        #expect(ContentEncoding().plan(method: method, status: status, fields: ["Content-Encoding": "gzip"]) == .asItIs)
    }

    @Test func `the policy decides whether the application sees the encoding`() {
        let fields: HeaderFields = ["Content-Encoding": "gzip", "Content-Length": "10", "ETag": "x"]
        #expect(ContentEncoding().visible(fields, .decode([.gzip])) == fields)
        var policy = EncodingPolicy()
        policy.fields = .removed
        #expect(ContentEncoding(policy: policy).visible(fields, .decode([.gzip])) == ["ETag": "x"])
        #expect(ContentEncoding(policy: policy).visible(fields, .asItIs) == fields)
        policy.decodes = [.brotli]
        #expect(ContentEncoding(policy: policy).plan(method: "GET", status: 200, fields: fields) == .asItIs)
    }
}
