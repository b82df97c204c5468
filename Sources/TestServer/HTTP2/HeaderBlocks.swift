import ScenarioLanguage
import AdapterProtocol
import NIOCore
import NIOHPACK

/// The two header tables of a connection (RFC 7541): every block must be processed here, in the order of the wire.
struct HeaderBlocks {
    static let longestList = 256 * 1024

    private var decoder = HPACKDecoder(
        allocator: ByteBufferAllocator(), maxDynamicTableSize: 4096, maxHeaderListSize: HeaderBlocks.longestList)
    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())

    mutating func read(_ block: ByteBuffer) throws(HTTP2Violation) -> [HeaderField] {
        var block = block
        do {
            return try decoder.decodeHeaders(from: &block).map { HeaderField($0.name, $0.value) }
        } catch is NIOHPACKErrors.MaxHeaderListSizeViolation {
            throw HTTP2Violation(.enhanceYourCalm, "header fields of more than \(HeaderBlocks.longestList / 1024) KiB")
        } catch {
            throw HTTP2Violation(.compressionError, "a header block that cannot be decoded: \(error)")
        }
    }

    /// Encodes the block as one piece for each field, so that it can be split between and within them.
    mutating func write(_ fields: [HeaderField]) -> [[UInt8]] {
        fields.map { field in
            do {
                try encoder.beginEncoding(allocator: ByteBufferAllocator())
                try encoder.append(header: field.name.lowercased(), value: field.value)
                return Array(try encoder.endEncoding().readableBytesView)
            } catch {
                // HPACK throws only when used out of order, and the order is fixed here.
                preconditionFailure("HPACK: \(error)")
            }
        }
    }

    /// Applies the client's SETTINGS_HEADER_TABLE_SIZE; a table larger than the default is not used.
    mutating func limitTable(to size: UInt32) {
        do {
            try encoder.setDynamicTableSize(min(Int(size), HPACKEncoder.defaultDynamicTableSize))
        } catch {
            preconditionFailure("HPACK: \(error)")
        }
    }
}
