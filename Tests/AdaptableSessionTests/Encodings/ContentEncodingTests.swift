import AdaptableSession
import Foundation
import Testing

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

    @Test func `A range is asked for as it is, and the request's own field stands`() {
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
    func `What was put on last comes off first`(value: String, codings: [ContentCoding]) {
        #expect(
            ContentEncoding().plan(method: "GET", status: 200, fields: ["Content-Encoding": value]) == .decode(codings))
    }

    @Test(arguments: ["", "identity", "zstd", "gzip, zstd", "gzip, gzip, gzip, gzip, gzip"])
    func `What is not known, or too much, stays as it is`(value: String) {
        #expect(ContentEncoding().plan(method: "GET", status: 200, fields: ["Content-Encoding": value]) == .asItIs)
    }

    @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304), ("GET", 206)])
    func `Where there is no body, or part of one, nothing comes off`(method: String, status: Int) {
        #expect(ContentEncoding().plan(method: method, status: status, fields: ["Content-Encoding": "gzip"]) == .asItIs)
    }

    @Test func `The policy decides what the program sees of the coding`() {
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
