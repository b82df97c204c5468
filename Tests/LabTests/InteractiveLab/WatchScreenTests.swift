import AdapterProtocol
import Record
import ScenarioLanguage
import Testing

@testable import Lab

/// The screen is a value, so every size and every name can be tried without a terminal.
@Suite struct WatchScreenTests {
    private static let hostile = "\u{1b}[2J\u{1b}]0;x\u{7}\u{9b}31m\u{202e}\r\n\t\u{200d}"
    private static let wide = "日本語のプログラム 한국어 🚀🚀🇩🇪👍🏽 e\u{301}"

    private static func link(_ kind: InterfaceKind, _ state: InterfaceState = .up) -> LabView.Link {
        var link = ControlMessageTests.view.links[0]
        link.interface = kind
        link.state = state
        return link
    }

    private static func view(
        _ links: [LabView.Link] = [link(.wifi), link(.cellular)], text: String = "api.test"
    ) -> LabView {
        var view = ControlMessageTests.view
        view.lab.program = "curl \(text)"
        view.links = links.map { link in
            var link = link
            link.condition = text
            link.downlink.requested = text
            return link
        }
        view.connections = Array(repeating: view.connections[0], count: 7)
        view.requests = (1...9).map {
            LabView.Request(
                number: $0, age: Int64($0) * 1_000_000_000, method: "GET", target: text + "/\($0)", status: 200,
                bytes: 65536, isComplete: true, fault: $0 == 5 ? text : nil)
        }
        view.queries = (1...5).map { LabView.Query(age: Int64($0), host: text, type: "A", reply: text) }
        view.changes = (1...5).map { LabView.Change(age: Int64($0), text: "\($0) \(text)") }
        return view
    }

    private static func screen(_ views: [LabView], isPlain: Bool = false) -> WatchScreen {
        var screen = WatchScreen(isPlain: isPlain)
        for view in views { screen.show(view) }
        return screen
    }

    private static func texts(_ screen: WatchScreen, _ columns: Int, _ rows: Int) -> [String] {
        screen.lines(.init(columns: columns, rows: rows)).map { $0.map(\.text).joined() }
    }

    @Test(arguments: ["api.test", hostile, wide, String(repeating: "long ", count: 200), ""])
    func `every size is filled exactly, whatever the names are`(_ text: String) {
        var help = Self.screen([Self.view(text: text)])
        _ = help.press("?")
        var refused = Self.screen([Self.view(text: text)])
        refused.show(.refused(text))
        let all = InterfaceKind.allCases.map { Self.link($0) }
        let screens = [
            WatchScreen(), Self.screen([Self.view(text: text)]), help, refused,
            Self.screen([Self.view([], text: text)]),
            Self.screen(Array(repeating: Self.view(all, text: text), count: 300)),
            Self.screen([Self.view(text: text)], isPlain: true),
        ]
        for (columns, rows) in [(80, 24), (200, 50), (120, 10), (40, 8), (119, 3), (10, 2), (1, 1), (500, 200)] {
            for screen in screens {
                let lines = Self.texts(screen, columns, rows)
                #expect(lines.count == rows)
                #expect(lines.allSatisfy { TerminalText.width($0) == columns }, "\(columns) × \(rows)")
                let scalars = lines.joined().unicodeScalars
                #expect(
                    !scalars.contains {
                        [.control, .format, .lineSeparator].contains($0.properties.generalCategory)
                    })
            }
        }
    }

    @Test func `a small screen shows links, changes, requests, queries and connections`() {
        let lines = Self.texts(Self.screen([Self.view()]), 80, 24)
        #expect(lines[0].hasPrefix(" lab 7  up 01:01  emulator engine  curl api.test"))
        #expect(lines[2].hasPrefix("▸ wifi  up  api.test"))
        #expect(lines[3].hasPrefix("  ↓ 998.0 kbit/s"))
        #expect(lines[3].contains("80.2 ms") && lines[3].contains("7.7%"))
        #expect(lines[5].hasPrefix("  cellular  up"))
        for title in ["changes (2 more)", "requests (6 more)", "DNS queries (2 more)", "connections (5 more)"] {
            #expect(lines.contains { $0.hasPrefix(title) }, "\(title)")
        }
        // The newest one first.
        #expect(lines.contains { $0.hasPrefix("  00:09 GET api.test/9 200 64.0 KiB") })
        #expect(lines[23].hasPrefix(" q quit"))
    }

    @Test func `a wide screen has two columns`() {
        let lines = Self.texts(Self.screen([Self.view()]), 200, 50)
        let titles = lines.first { $0.hasPrefix("requests ") }
        #expect(titles?.contains("│ changes") == true)
        #expect(lines.count { $0.contains("GET api.test/") } == 9)
    }

    @Test func `an interface that is down is marked`() {
        let screen = Self.screen([Self.view([Self.link(.wifi, .down)])])
        let line = screen.lines(.init(columns: 80, rows: 24))[2]
        #expect(line.first?.style == .bad)
        #expect(line.first?.text.contains("wifi  down") == true)
    }

    @Test func `a terminal without UTF-8 gets ASCII for what this program draws`() {
        var screen = Self.screen([Self.view(), Self.view()], isPlain: true)
        for (columns, rows) in [(100, 40), (200, 50)] {
            let text = Self.texts(screen, columns, rows).joined()
            #expect(text.replacing("…", with: "").allSatisfy { $0.isASCII })
        }
        _ = screen.press("?")
        #expect(Self.texts(screen, 200, 40).joined().replacing("…", with: "").allSatisfy { $0.isASCII })
    }

    // MARK: Keys

    private static func set(_ kind: String, _ word: String) -> WatchScreen.Action {
        .set(.object([kind: .text(word)]))
    }

    @Test func `keys change the network`() {
        var screen = Self.screen([Self.view()])
        #expect(screen.press("w") == Self.set("wifi", "down"))
        #expect(screen.press("c") == Self.set("cellular", "down"))
        #expect(screen.press("n") == .set(.object(["nat64": .boolean(true)])))
        #expect(screen.press("5") == Self.set("wifi", "lte"))
        #expect(screen.press("\t") == nil)
        #expect(screen.press("5") == Self.set("cellular", "lte"))
        #expect(screen.press("\t") == nil)
        #expect(screen.press("1") == Self.set("wifi", "perfect"))
        #expect(screen.press("0") == nil && screen.press("x") == nil && screen.press("\n") == nil)
        #expect(screen.press("q") == .quit)
    }

    @Test func `NAT64 is shown and switched by one key`() {
        for (isOn, state) in [(true, "NAT64 on"), (false, "NAT64 off")] {
            var view = Self.view()
            view.nat64 = isOn
            var screen = Self.screen([view])
            let heading = Self.texts(screen, 80, 24)[0]
            #expect(heading.hasPrefix(" lab 7  up 01:01  emulator engine  \(state)  curl api.test"))
            #expect(screen.press("n") == .set(.object(["nat64": .boolean(!isOn)])))
        }
    }

    @Test func `the same key brings an interface back from any state`() {
        for state in InterfaceState.allCases where state != .up {
            var screen = Self.screen([Self.view([Self.link(.wifi, state)])])
            #expect(screen.press("w") == Self.set("wifi", "up"))
        }
    }

    @Test func `a key for an interface that the lab does not have explains why nothing changes`() {
        var screen = Self.screen([Self.view([Self.link(.wifi)])])
        #expect(screen.press("c") == nil)
        #expect(
            screen.message == "this lab does not have a cellular interface; start it with --interface cellular")
    }

    @Test func `any key closes the help, and only q leaves`() {
        var screen = Self.screen([Self.view()])
        #expect(screen.press("?") == nil && screen.showsHelp)
        #expect(screen.press("w") == nil && !screen.showsHelp)
        #expect(screen.press("?") == nil && screen.press("q") == .quit)
    }

    @Test func `nothing can be changed before the first view`() {
        for key in "wcn1\t" {
            var screen = WatchScreen()
            #expect(screen.press(key) == nil)
        }
    }

    @Test func `each digit is a profile that exists`() {
        #expect(WatchScreen.profiles.count == 9)
        for name in WatchScreen.profiles { #expect(ProfileCatalogue.named(name) != nil, "\(name)") }
    }

    @Test func `the lab's reply is shown until the next key`() {
        var screen = Self.screen([Self.view()])
        screen.show(.refused("no such profile"))
        #expect(Self.texts(screen, 80, 24)[23].hasPrefix(" not changed: no such profile"))
        _ = screen.press("x")
        #expect(Self.texts(screen, 80, 24)[23].hasPrefix(" q quit"))
    }

    // MARK: Histories

    @Test(
        arguments: [
            ([0, 5, 10], 10, 3, "▁▄█"), ([nil, 10], 1, 4, "   █"), ([1, 2, 3, 4], 4, 2, "▆█"), ([], 1, 2, "  "),
            ([1], 100, 1, "▁"), ([.infinity, .nan], 1, 2, "  "),
        ] as [([Double?], Double, Int, String)])
    func `a history is drawn to scale, the newest value at the right`(
        _ values: [Double?], _ least: Double, _ width: Int, _ text: String
    ) {
        #expect(Sparkline(values: values, least: least).text(width: width, isPlain: false) == text)
    }

    @Test func `the history is bounded`() {
        let screen = Self.screen(Array(repeating: Self.view(), count: WatchScreen.most + 50))
        #expect(screen.history.values.allSatisfy { $0.count == WatchScreen.most })
        #expect(screen.history.count == 4)
    }

    // MARK: Text

    @Test(arguments: [
        ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("🚀", 2), ("한", 2), ("", 0), ("\u{fffd}", 1), ("ｱ", 1), ("Ａ", 2),
    ])
    func `the cells of a text are counted`(_ text: String, _ width: Int) {
        #expect(TerminalText.width(text) == width)
    }

    @Test func `a text is cut between characters`() {
        #expect(TerminalText.cut("日本語", to: 5) == "日本…")
        #expect(TerminalText.cut("日本語", to: 4) == "日…")
        #expect(TerminalText.cut("日本語", to: 6) == "日本語")
        #expect(TerminalText.cut("abc", to: 1) == "…")
        #expect(TerminalText.cut("abc", to: 0) == "")
        #expect(TerminalText.fit("日本語", to: 4) == "日… ")
        #expect(TerminalText.fit("7", to: 3, alignsRight: true) == "  7")
    }

    @Test func `characters that a terminal interprets are replaced`() {
        #expect(TerminalText.clean("a\u{1b}[31mb") == "a\u{fffd}[31mb")
        #expect(TerminalText.clean("\u{301}a") == "\u{fffd}a")
        #expect(TerminalText.clean("a\nb\u{202e}") == "a\u{fffd}b\u{fffd}")
    }
}
