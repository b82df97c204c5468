import Foundation
import Glibc
import NIOCore
import NIOHTTP2
import NetworkMonitor
import OpenSSLTLS

/// Descriptions of the errors of the underlying libraries, whose type names mean nothing to the user of a program.
enum ErrorDescription {
    static func description(_ error: any Error) -> String {
        switch error {
        case let error as IOError: description(number: error.errnoCode)
        case let error as ChannelError: description(error)
        case let error as ResponseSyntaxError: description(error)
        case let error as any NIOHTTP2Error: description(http2: error)
        case is SocketAddressError: "the address cannot be used"
        case let error as SystemCallError: error.description
        case let error as TLSError: error.description
        case let error as TransportFailure: error.reason.text
        case let error as ProxyFailure: error.description
        case let error as HostLookupError: description(error)
        case let error as POSIXError: description(number: error.code.rawValue)
        // Foundation's own errors, mostly about files.
        case let error as CocoaError: error.localizedDescription
        default:
            number(error).map { description(number: $0) } ?? "an unexpected error"
        }
    }

    /// Returns errno if the error is one or was caused by one.
    static func number(_ error: any Error) -> CInt? {
        switch error {
        case let error as IOError: return error.errnoCode
        case let error as POSIXError: return error.code.rawValue
        case let error as TransportFailure: return error.reason.number
        default:
            let error = error as NSError
            if error.domain == NSPOSIXErrorDomain { return CInt(exactly: error.code) }
            return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap(number)
        }
    }

    /// Returns the text of strerror(3), such as "Connection refused".
    static func description(number: CInt) -> String {
        guard let text = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: text)
    }

    private static func description(_ error: ChannelError) -> String {
        switch error {
        case .connectTimeout: "the connection attempt took too long"
        case .eof, .inputClosed, .outputClosed, .alreadyClosed, .ioOnClosedChannel: "the connection was closed"
        default: "the connection does not support this operation"
        }
    }

    private static func description(_ error: HostLookupError) -> String {
        switch error {
        case .noSuchName: "the host name does not exist"
        case .noAddress: "the host name does not have an address"
        case .unanswered: "no name server replied"
        case .failed(let reason): reason
        }
    }

    private static func description(_ error: ResponseSyntaxError) -> String {
        switch error {
        case .notHTTP: "it does not begin with HTTP/"
        case .version: "its HTTP version is not valid"
        case .status: "its status is not a number of three digits"
        case .fieldCharacter: "a header contains a character that is not allowed"
        case .tooLong: "its headers are too long or too many"
        case .length: "its Content-Length is not a valid length"
        case .severalLengths: "it has a Content-Length and a Transfer-Encoding, or several lengths"
        case .transferCoding: "its Transfer-Encoding names chunked more than once"
        case .chunkSize: "the size of a chunk is not a number"
        case .lineEnd: "a line does not end in CR LF"
        case .truncated: "it ended too early"
        }
    }

    private static func description(http2 error: any NIOHTTP2Error) -> String {
        switch error {
        case is NIOHTTP2Errors.ExcessiveEmptyDataFrames: "the server sends too many empty frames"
        case is NIOHTTP2Errors.ExcessiveRSTFrames: "the server resets too many streams"
        case is NIOHTTP2Errors.ExcessiveControlFrames: "the server sends too many control frames"
        case is NIOHTTP2Errors.ExcessiveContinuationFrames: "the server splits a header block into too many parts"
        case is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock: "a header block is too large"
        case is NIOHTTP2Errors.ExcessiveNumberOfGlitches, is NIOHTTP2Errors.ExcessiveStreamErrors:
            "the server repeatedly violates the protocol"
        case is NIOHTTP2Errors.FlowControlViolation: "the server sends more than flow control allows"
        case is NIOHTTP2Errors.ContentLengthViolated: "the length of the body does not match its Content-Length"
        case is NIOHTTP2Errors.UnableToParseFrame: "a frame cannot be parsed"
        default: "the server violates the protocol"
        }
    }

    /// Returns the name of an HTTP/2 error code (RFC 9113 §7).
    static func name(_ code: HTTP2ErrorCode) -> String {
        let names = [
            "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
            "FRAME_SIZE_ERROR",
            "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
            "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
        ]
        return names.indices.contains(code.networkCode) ? names[code.networkCode] : "error \(code.networkCode)"
    }
}
