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
        case .truncated(let coding): "The body ends in the middle of its \(coding.rawValue) coding."
        case .exceedsRatio(let output, let input):
            "\(input) bytes stand for more than \(output) bytes, which no honest body does."
        }
    }
}
