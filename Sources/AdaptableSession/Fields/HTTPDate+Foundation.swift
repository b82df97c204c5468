package import Foundation
package import HTTPFields

extension HTTPDate {
    package init(_ date: Date) {
        let seconds = date.timeIntervalSince1970
        // A comparison with a NaN is false.
        self.init(seconds: seconds > -1e15 ? Int64(min(seconds, 1e15).rounded(.down)) : .min)
    }

    package var date: Date { Date(timeIntervalSince1970: Double(seconds)) }

    package static func parse(_ text: String, now: Date) -> Date? { HTTPDate(text, now: HTTPDate(now))?.date }
}
