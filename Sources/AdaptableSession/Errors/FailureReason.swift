import Foundation

/// The reason of a failure, as text for the user of a program, with the system's error number if there is one.
struct FailureReason: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    var text: String
    var number: CInt?

    init(stringLiteral text: String) { self.text = text }

    /// Joins `text`, a colon and the description of the error.
    init(_ text: String, _ error: any Error) {
        self.text = "\(text): \(ErrorDescription.description(error))"
        number = ErrorDescription.number(error)
    }

    init(_ text: String, number: CInt? = nil) {
        self.text = text
        self.number = number
    }

    var description: String { text }

    /// The error for NSUnderlyingErrorKey.
    var underlyingError: NSError? {
        number.map {
            NSError(
                domain: NSPOSIXErrorDomain, code: Int($0),
                userInfo: [NSLocalizedDescriptionKey: ErrorDescription.description(number: $0)])
        }
    }
}
