import NIOCore

/// The clock for all timing decisions: nanoseconds of the monotonic clock.
enum MonotonicTime {
    static func now() -> Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    static func nanoseconds(_ seconds: Double) -> Int64 {
        let value = seconds * 1e9
        return value >= 9e18 ? .max : Int64(max(0, value))
    }
}
