/// Saturating sums of numbers from adapters and from the wire, which can have any value: an overflow must not stop the
/// program that judges them.
extension FixedWidthInteger {
    func plus(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        guard overflows else { return sum }
        return other < 0 ? .min : .max
    }

    func minus(_ other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        guard overflows else { return difference }
        return self < 0 || Self.min == 0 ? .min : .max
    }
}
