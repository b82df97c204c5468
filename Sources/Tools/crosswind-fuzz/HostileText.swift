/// Numbers, hosts and field values that are nearly valid, at the limits of a type, and beyond them.
enum HostileText {
    // Created once: a list of long texts costs as much as the parser under test.
    private static let numbers = [
        "0", "-0", "-1", "+1", "00", "1.5", "1e9", "0x10", "", " 5", "5 ", "NaN", "inf", "٣", "65535", "65536",
        "99999", "2147483647", "2147483648",
        "4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "18446744073709551617", "999999999999999",
        "999999999999999999", "9999999999999999999999999",
    ]
    private static let hosts = [
        "h.test", "a.b.h.test", "H.TEST.", "localhost", "x.localhost", "127.0.0.1", "10.0.0.1", "[::1]",
        "[2001:db8::1]", "[fe80::1%25eth0]", "[::ffff:1.2.3.4]",
        "", ".", "..", ".h.test", "h..test", "h.test%0d%0a", "h%00.test", "%5B::1%5D", "b\u{FC}cher.test",
        "xn--bcher-kva.test", "xn--", "[", "[]", "[::1", "1", "0x7f.1",
        "co.uk", "github.io", "*", "a_b.test", String(repeating: "a", count: 64) + ".test",
        String(repeating: "a.", count: 130) + "test", "\u{1F600}.test",
    ]
    private static let schemes = [
        "http://", "https://", "HTTP://", "http:", "//", "", "ftp://", "socks5://", "socks5h://", "file://",
        "data:", "ws://", "http:/",
    ]
    private static let paths = [
        "", "/", "/a/b", "/a/../../b", "//x", "/%2e%2e/", "/a;b", "?q", "?a:80@b", "#f", "/\u{FC}", "/ ", "/%",
        "/%zz", "\\x", "/a?b#c:99999",
    ]
    private static let dates = [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "Fri, 31 Dec 9999 23:59:60 GMT", "Mon, 01 Jan 1601 00:00:00 GMT", "Mon, 01 Jan 0000 00:00:00 GMT", "0",
        "-1",
    ]

    static func number(_ random: inout FuzzRandom) -> String {
        switch random.below(6) {
        case 0: return "\(random.below(100))"
        case 1:
            return random.pick(numbers)
        case 2: return "\(Int64(bitPattern: random.next()))"
        case 3: return "\(random.next())"
        case 4:
            return String(
                repeating: random.pick(["0", "9", "1"]), count: random.below(random.happens(oneIn: 50) ? 4000 : 40))
        default: return "\(random.below(1 << 20))"
        }
    }

    static func host(_ random: inout FuzzRandom) -> String {
        random.pick(hosts)
    }

    static func url(_ random: inout FuzzRandom) -> String {
        var text = random.pick(schemes)
        if random.happens(oneIn: 4) { text += random.pick(["u@", "u:p@", ":@", "u:65536@", "u%3Ap:%40@", "@"]) }
        text += host(&random)
        if random.happens(oneIn: 2) { text += ":" + number(&random) }
        text += random.pick(paths)
        return damaged(text, &random, oneIn: 8)
    }

    static func date(_ random: inout FuzzRandom) -> String {
        let text = random.pick(dates)
        guard random.happens(oneIn: 3) else { return text }
        func number() -> String { Self.number(&random) }
        let made =
            switch random.below(6) {
            case 0: "Sun, \(number()) Nov 1994 08:49:37 GMT"
            case 1: "Sun, 06 Nov \(number()) 08:49:37 GMT"
            case 2: "Sun, 06-Nov-\(number()) \(number()):49:37 GMT"
            case 3: "Sun Nov  6 08:\(number()):37 \(number())"
            case 4: number()
            default: "06 Nov 1994 \(number()):\(number()):\(number())"
            }
        return damaged(made, &random, oneIn: 3)
    }

    static func damaged(_ text: String, _ random: inout FuzzRandom, oneIn share: Int) -> String {
        guard random.happens(oneIn: share) else { return text }
        var bytes = Array(text.utf8)
        random.damage(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func seconds(_ random: inout FuzzRandom) -> Double {
        random.pick([
            0, 1, -1, 60, 1e9, 4e9, 1e15, 1e18, 1e19, -1e19, 1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
            Double(random.below(1 << 30)),
        ])
    }

    static func integer(_ random: inout FuzzRandom) -> Int64 {
        random.happens(oneIn: 2)
            ? Int64(random.below(1 << 20))
            : random.pick([0, 1, -1, .max, .min, .max - 1, 1 << 53, Int64(UInt32.max), 65_536])
    }
}
