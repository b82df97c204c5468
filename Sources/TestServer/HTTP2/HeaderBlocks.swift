import AdapterProtocol
import CNGHTTP2
import NIOCore
import ScenarioLanguage

/// The two header tables of a connection (RFC 7541): every block must be processed here, in the order of the wire.
///
/// The tables are libnghttp2's, so that a client that uses NIO's is not tested against its own code.
@safe final class HeaderBlocks {
    /// The length of a block and of its fields. nghttp2 decodes no field of a longer block.
    static let longestList = 64 * 1024
    private static let tableSize = 4096
    /// RFC 9113 §6.5.2 counts this many bytes more for each field of a list.
    private static let fieldOverhead = 32

    private let inflater: OpaquePointer
    private let deflater: OpaquePointer

    init() {
        var (inflater, deflater): (OpaquePointer?, OpaquePointer?) = (nil, nil)
        guard unsafe nghttp2_hd_inflate_new(&inflater) == 0,
            unsafe nghttp2_hd_deflate_new(&deflater, HeaderBlocks.tableSize) == 0,
            let inflater = unsafe inflater, let deflater = unsafe deflater
        else { preconditionFailure("no memory for header tables") }
        unsafe self.inflater = inflater
        unsafe self.deflater = deflater
    }

    deinit {
        unsafe nghttp2_hd_inflate_del(inflater)
        unsafe nghttp2_hd_deflate_del(deflater)
    }

    func read(_ block: ByteBuffer) throws(HTTP2Violation) -> [HeaderField] {
        var (fields, listSize): ([HeaderField], Int) = ([], 0)
        let problem: HTTP2Violation? = unsafe block.withUnsafeReadableBytes { bytes in
            var left = unsafe bytes.bindMemory(to: UInt8.self)[...]
            while true {
                var field = unsafe nghttp2_nv()
                var flags: CInt = 0
                let taken = unsafe nghttp2_hd_inflate_hd2(
                    inflater, &field, &flags, UnsafeBufferPointer(rebasing: left).baseAddress, left.count, 1)
                guard taken >= 0 else {
                    let reason = unsafe String(cString: nghttp2_strerror(CInt(taken)))
                    return HTTP2Violation(.compressionError, "a header block that cannot be decoded: \(reason)")
                }
                unsafe left = left.dropFirst(taken)
                if UInt32(flags) & NGHTTP2_HD_INFLATE_EMIT.rawValue != 0 {
                    listSize += unsafe field.namelen + field.valuelen + HeaderBlocks.fieldOverhead
                    guard listSize <= HeaderBlocks.longestList else {
                        return HTTP2Violation(
                            .enhanceYourCalm, "header fields of more than \(HeaderBlocks.longestList / 1024) KiB")
                    }
                    unsafe fields.append(
                        HeaderField(text(field.name, field.namelen), text(field.value, field.valuelen)))
                }
                if UInt32(flags) & NGHTTP2_HD_INFLATE_FINAL.rawValue != 0 { return nil }
            }
        }
        if let problem { throw problem }
        unsafe nghttp2_hd_inflate_end_headers(inflater)
        return fields
    }

    /// Encodes the block as one piece for each field, so that it can be split between and within them.
    func write(_ fields: [HeaderField]) -> [[UInt8]] {
        fields.map { field in
            var (name, value) = (Array(field.name.lowercased().utf8), Array(field.value.utf8))
            return unsafe name.withUnsafeMutableBufferPointer { name in
                unsafe value.withUnsafeMutableBufferPointer { value in
                    var pair = unsafe nghttp2_nv(
                        name: name.baseAddress, value: value.baseAddress, namelen: name.count, valuelen: value.count,
                        flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
                    let most = unsafe nghttp2_hd_deflate_bound(deflater, &pair, 1)
                    return unsafe [UInt8](unsafeUninitializedCapacity: most) { room, count in
                        let written = unsafe nghttp2_hd_deflate_hd(deflater, room.baseAddress, most, &pair, 1)
                        precondition(written >= 0, "nghttp2 failed to encode a field within its own bound: \(written)")
                        count = written
                    }
                }
            }
        }
    }

    /// Applies the client's SETTINGS_HEADER_TABLE_SIZE; a table larger than the default is not used.
    func limitTable(to size: UInt32) {
        let status = unsafe nghttp2_hd_deflate_change_table_size(deflater, Int(size))
        precondition(status == 0, "no memory for header tables")
    }

    private func text(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int) -> String {
        unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
