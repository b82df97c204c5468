import Compression
import Decompression
import Testing

/// Compares with the decoders of the two libraries, and with the check values from the definitions of the checksums.
struct CompressorTests {
    private static func decompress(_ bytes: [UInt8], _ form: CompressionForm) throws -> [UInt8] {
        let decompressor = try Decompressors.make(form)
        var (read, output) = (0, [UInt8]())
        while !decompressor.isEnded {
            let before = (read, output.count)
            read += try decompressor.advance(bytes.span.extracting(read...), into: &output, limit: 1 << 20)
            if (read, output.count) == before { break }
        }
        #expect(decompressor.isEnded && read == bytes.count)
        return output
    }

    private static func compress(_ content: UncompressedContent, _ form: CompressionForm) -> [UInt8] {
        switch form {
        case .gzip: Compressor.gzip(content)
        case .zlib: Compressor.zlib(content)
        case .rawDeflate: Compressor.deflate(content)
        case .brotli: Compressor.brotli(content)
        }
    }

    @Test(arguments: CompressionForm.allCases) func `content is decoded unchanged and compresses reproducibly`(
        form: CompressionForm
    ) throws {
        let text = Array(String(repeating: "a line that comes again. ", count: 40_000).utf8)
        for content in [[], [7], Array("hello".utf8), text] {
            let bytes = Self.compress(.bytes(content), form)
            let output = try Self.decompress(bytes, form)
            let (isRight, isSame) = (output == content, Self.compress(.bytes(content), form) == bytes)
            #expect(isRight && isSame)
        }
        #expect(Self.compress(.bytes(text), form).count < text.count / 100)
    }

    /// deflate repeats a block of 16 MiB; the other sizes are on both sides of it and of the 1 MiB passed to the
    /// libraries at a time.
    @Test(arguments: CompressionForm.allCases, [0, 1, 1 << 20, 16 << 20, 37 << 20 + 5])
    func `the requested number of zeros is decoded`(form: CompressionForm, count: Int) throws {
        let bytes = Self.compress(.zeros(Int64(count)), form)
        #expect(bytes.count < count / 900 + 40)
        let output = try Self.decompress(bytes, form)
        let isRight = output == [UInt8](repeating: 0, count: count)
        #expect(isRight)
    }

    @Test func `the checksums have their check values`() {
        #expect(Checksum.crc32(.bytes(Array("123456789".utf8))) == 0xCBF4_3926)
        #expect(Checksum.adler32(.bytes(Array("Wikipedia".utf8))) == 0x11E6_0398)
        #expect(Checksum.crc32(.bytes([])) == 0 && Checksum.adler32(.bytes([])) == 1)
    }

    @Test func `the length of more than 4 GiB of zeros is written modulo 2 to the 32`() {
        let bytes = Compressor.gzip(.zeros(5 << 30))
        #expect(bytes.suffix(4) == [0, 0, 0, 0x40])
        #expect(bytes.count < 6 << 20)
    }
}
