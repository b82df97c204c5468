package import Foundation

/// The reason why an encoded body cannot be delivered to the program.
package enum ContentDecodingError: Error, Hashable, Sendable {
    case corrupt(coding: ContentCoding, reason: String)
    /// The body ended before the coding did.
    case truncated(coding: ContentCoding)
    /// The output is so many times larger than the input that the body is treated as an attack.
    case exceedsRatio(output: Int, input: Int)

    package var code: URLError.Code {
        switch self {
        case .corrupt, .truncated: .cannotDecodeContentData
        case .exceedsRatio: .dataLengthExceedsMaximum
        }
    }
}

extension ContentDecodingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .corrupt(let coding, let reason): "The body cannot be decoded as \(coding.rawValue): \(reason)."
        case .truncated(let coding): "The body ends before its \(coding.rawValue) coding is complete."
        case .exceedsRatio(let output, let input):
            "\(input) encoded bytes expand to more than \(output) bytes; the body may be a decompression bomb."
        }
    }
}
