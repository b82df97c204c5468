import Foundation
import Testing

@testable import AdaptableSession

/// The encoded texts were created with Python's gzip and zlib, and with libbrotlienc; the bomb is 64 MiB of zeros in
/// three layers of gzip.
struct ContentDecoderTests {
    private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64)!) }

    private static let plain = Array("plain plain plain plain".utf8)
    private static let gzip = bytes("H4sIAAAAAAACAyvISczMUyhAJwEOPe0nFwAAAA==")
    private static let zlib = bytes("eJwryEnMzFMoQCcBaHMIsQ==")
    private static let raw = bytes("K8hJzMxTKEAnAQ==")
    private static let brotli = bytes("GxYA+I1Utb9OY3ODUyBhIU8c4E0A")
    /// The brotli text followed by 200,000 letters, in gzip.
    private static let gzipOfBrotliAndMore = bytes(
        "H4sIAAAAAAACA+3BoRGAIAAAQKawaMCBhKALcI5AsZsZx8wqjmFkBvv/z1P42vH0dNZ7j2XNy7uFCwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAD4bQBnN6U2VQ0DAA==")
    private static let coded: [(ContentCoding, [UInt8])] = [
        (.gzip, gzip), (.deflate, zlib), (.deflate, raw), (.brotli, brotli),
    ]
    private static let gzipBomb = bytes(
        "H4sIAAAAAAACA5Pv5mAAASbmt3fW+zkVihz42B1jriadpCD5RLBDhE3qDNvZPnaFSanFatz6jmnJxZsvVTBvuflXeI6xpf6d3xL7P/9cMtnfxvr3PFuzTZcc/ybHrn7bfvNP/c+rFqeA"
            + "xjYcORv3/vVTQ4XXYrdPr5YGiiiUPn4cFifL+i/P//xaZqDApO8GL7av5m98v9szTxbIn7Dn3PvbK3ax5nQtn5z9G2TGk70cbEDaQaOJEUgJdCeAHHxESQJEHYRI6RCUOp104f20fsa3"
            + "85Os9licAYp0PNn582Z1/Nv2GnYbnze/Hv1jYAAAUXnUoQ0BAAA=")
    private static let brotliBomb = bytes(
        "y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+DfwIgDgsAdO//+P//B/8EQBwWAOje//H//w/+CYA4LADQvf/L//8//BMAcVgAoHv/Bw=="
    )

    private func decode(_ codings: [ContentCoding], _ parts: [[UInt8]], _ policy: EncodingPolicy = EncodingPolicy())
        throws -> [UInt8]
    {
        let decoder = ContentDecoder(codings, policy: policy)
        var output: [UInt8] = []
        for part in parts {
            decoder.append(part)
            while let piece = try decoder.next() {
                #expect(piece.count <= ContentDecoder.pieceSize)
                output += piece
            }
        }
        try decoder.finish()
        return output
    }

    @Test(arguments: coded)
    func `every encoding is decoded, in pieces of any size`(coding: ContentCoding, body: [UInt8]) throws {
        for size in [1, 2, 3, 7, body.count] {
            let parts = stride(from: 0, to: body.count, by: size).map { Array(body[$0..<min($0 + size, body.count)]) }
            #expect(try decode([coding], parts) == Self.plain)
        }
    }

    @Test(arguments: [(ContentCoding.gzip, gzip), (.deflate, zlib), (.brotli, brotli)])
    func `bytes after the end of the encoding are dropped`(coding: ContentCoding, body: [UInt8]) throws {
        let decoder = ContentDecoder([coding])
        decoder.append(body)
        while try decoder.next() != nil {}
        for _ in 0..<100 {
            decoder.append([UInt8](repeating: 0x78, count: 10_000))
            #expect(try decoder.next() == nil)
            #expect(decoder.waiting <= 10_000)
        }
        try decoder.finish()
    }

    @Test func `bytes after the end of an outer encoding do not restart the inner one`() throws {
        let decoder = ContentDecoder([.gzip, .brotli])
        decoder.append(Self.gzipOfBrotliAndMore)
        var output: [UInt8] = []
        while let piece = try decoder.next() { output += piece }
        #expect(output == Self.plain)
        try decoder.finish()
    }

    @Test(arguments: coded)
    func `a body that ends too early is refused at every length`(coding: ContentCoding, body: [UInt8]) throws {
        for count in 1..<body.count {
            #expect(throws: ContentDecodingError.truncated(coding: coding)) {
                try decode([coding], [Array(body.prefix(count))])
            }
        }
        #expect(try decode([coding], []) == [])
    }

    @Test(arguments: [(ContentCoding.gzip, gzip), (.deflate, zlib), (.brotli, brotli)])
    func `a changed byte causes an error or at most the plain text`(
        coding: ContentCoding, body: [UInt8]
    ) {
        var refused = 0
        for index in body.indices {
            var broken = body
            broken[index] ^= 0x10
            do { _ = try decode([coding], [broken]) } catch { refused += 1 }
        }
        // The time, flags and system fields of gzip are unrelated to the content; Brotli lacks a checksum.
        #expect(refused > body.count / 2)
    }

    @Test func `bare deflate is recognized by its failing zlib check, even if its first byte is that of zlib`() throws {
        // A stored block whose padding makes its first byte 08, like zlib's method 8 with the smallest window; then an
        // empty last block.
        let bare: [UInt8] = [0x08, 0x03, 0x00, 0xFC, 0xFF] + Array("abc".utf8) + [0x01, 0x00, 0x00, 0xFF, 0xFF]
        #expect(try decode([.deflate], [bare]) == Array("abc".utf8))
    }

    @Test func `a wrong checksum is a corrupt body`() {
        var broken = Self.gzip
        broken[broken.count - 6] ^= 1
        #expect(
            throws: ContentDecodingError.corrupt(
                coding: .gzip, reason: "the compressed data is corrupt: incorrect data check")
        ) {
            try decode([.gzip], [broken])
        }
    }

    @Test func `several members are decoded in order and padding is ignored`() throws {
        #expect(try decode([.gzip], [Self.gzip + Self.gzip]) == Self.plain + Self.plain)
        #expect(try decode([.gzip], [Self.gzip, [0, 0], [0]]) == Self.plain)
        #expect(try decode([.gzip], [Self.gzip, [0x1F], Array(Self.gzip.dropFirst())]) == Self.plain + Self.plain)
    }

    @Test func `nested encodings are decoded from the outside in`() throws {
        // The inner text is a gzip as long as its outer one is short: three layers of the bomb, cut after the first
        // piece.
        let decoder = ContentDecoder([.gzip, .gzip, .gzip])
        decoder.append(Self.gzipBomb)
        let piece = try #require(try decoder.next())
        #expect(piece.count == 65_536 && piece.allSatisfy { $0 == 0 })
    }

    @Test(arguments: [([ContentCoding.gzip, .gzip, .gzip], gzipBomb), ([.brotli], brotliBomb)])
    func `a decompression bomb is stopped and needs the memory of one piece at a time`(
        codings: [ContentCoding], bomb: [UInt8]
    ) throws {
        let decoder = ContentDecoder(codings)
        decoder.append(bomb)
        var output = 0
        #expect(throws: ContentDecodingError.self) {
            while let piece = try decoder.next() {
                output += piece.count
                #expect(piece.count <= 65_536)
            }
        }
        #expect(output == ContentDecoder.freeOutput)
    }

    @Test func `an incomplete body is accepted where the end is not required`() throws {
        var policy = EncodingPolicy()
        policy.requiresEnd = false
        #expect(try decode([.deflate], [Array(Self.raw.prefix(6))], policy).count < Self.plain.count)
        policy = EncodingPolicy()
        policy.acceptsEmptyBody = false
        #expect(throws: ContentDecodingError.truncated(coding: .gzip)) { try decode([.gzip], [], policy) }
    }

    @Test func `errors have the codes of URLError`() {
        #expect(ContentDecodingError.truncated(coding: .gzip).code == .cannotDecodeContentData)
        #expect(ContentDecodingError.exceedsRatio(output: 2, input: 1).code == .dataLengthExceedsMaximum)
    }
}
