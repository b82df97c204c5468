/// Encodes non-ASCII labels of host names (RFC 3492).
enum Punycode {
    /// Returns the label as `xn--…`; an ASCII label is returned unchanged.
    static func label(_ label: some StringProtocol) -> String {
        let points = label.unicodeScalars.map { Int($0.value) }
        guard points.contains(where: { $0 >= 128 }) else { return String(label) }
        var output = points.filter { $0 < 128 }.map { UInt8($0) }
        let basic = output.count
        if basic > 0 { output.append(0x2D) }
        var (next, delta, bias, handled) = (128, 0, 72, basic)
        while handled < points.count {
            let smallest = points.filter { $0 >= next }.min() ?? next
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for point in points {
                if point < next { delta += 1 }
                guard point == next else { continue }
                var rest = delta
                var place = 36
                while true {
                    let threshold = min(max(place - bias, 1), 26)
                    if rest < threshold { break }
                    output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
                    rest = (rest - threshold) / (36 - threshold)
                    place += 36
                }
                output.append(digit(rest))
                bias = adapted(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return "xn--" + String(decoding: output, as: UTF8.self)
    }

    private static func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30) }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var place = 0
        while delta > 455 {
            delta /= 35
            place += 36
        }
        return place + 36 * delta / (delta + 38)
    }
}
