/// The frame that all pages share: style and script are inline, so that a page works offline and as an artifact of CI.
enum PageFrame {
    static func page(title: String, style: String = style, script: String? = nil, body: String) -> String {
        let script = script.map { "<script>\n\($0)\n</script>\n" } ?? ""
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark"><title>\(text(title)) · Crosswind</title>
            <style>
            \(style)
            </style></head><body>
            \(body)
            \(script)</body></html>

            """
    }

    /// Returns text for content and attributes: control and direction characters are escaped visibly.
    static func text(_ text: String, limit: Int = 2000) -> String {
        XMLEscaping.attribute(TerminalSanitizer.text(text, limit: limit))
    }

    /// Returns the path as a relative link, with every byte escaped that RFC 3986 §2.3 does not call unreserved.
    static func link(_ path: String) -> String {
        var result = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                result.unicodeScalars.append(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return result
    }

    /// Returns the lines of an excerpt, with evidence and causes marked.
    static func excerpt(_ excerpt: Excerpt) -> String {
        let lines = excerpt.lines.map { line in
            switch line {
            case .entry(let text, .evidence): "<b class=\"ev\">&gt; \(self.text(text))</b>"
            case .entry(let text, .cause): "<b class=\"cause\">! \(self.text(text))</b>"
            case .entry(let text, .surrounding): "  \(self.text(text))"
            case .leftOut(let count): "<i>  … \(count) \(count == 1 ? "line" : "lines") …</i>"
            }
        }
        return "<pre>\(lines.joined(separator: "\n"))</pre>\n"
    }

    /// Returns the findings with expected and found values and their excerpts; the same excerpt is not repeated.
    static func findings(_ findings: some Sequence<ReportedRun.Finding>) -> String {
        var shown: Set<Excerpt> = []
        return findings.map { finding in
            let isNew = finding.excerpt.map { shown.insert($0).inserted } ?? true
            return self.finding(finding, showsExcerpt: isNew)
        }.joined()
    }

    private static func finding(_ finding: ReportedRun.Finding, showsExcerpt: Bool) -> String {
        var out = "<div class=\"finding\">"
        if let check = finding.check {
            let place = finding.line.map { "\(finding.file):\($0)" } ?? "always checked"
            out += "<h4>\(text(check)) <span class=\"soft\">\(text(place))</span></h4>\n<dl><dt>expected</dt>"
            out +=
                "<dd>\(text(finding.expected))</dd><dt>found</dt><dd class=\"found\">\(text(finding.found))</dd></dl>\n"
        } else {
            out += "<h4>The run could not be judged</h4>\n<p class=\"found\">\(text(finding.found))</p>\n"
        }
        if let excerpt = finding.excerpt, !excerpt.lines.isEmpty, !showsExcerpt {
            out += "<div class=\"soft\">the record is shown above</div>"
        } else if let excerpt = finding.excerpt, !excerpt.lines.isEmpty {
            out += "<div class=\"soft\">\(excerpt.isTail ? "the record ends" : "the record shows")</div>"
            out += self.excerpt(excerpt)
        }
        return out + "</div>\n"
    }

    private static let style = """
        :root { --paper: #fff; --ink: #1c2733; --soft: #52616f; --line: #dde3e9; --panel: #f5f7f9; --link: #0b5cad;
          --good: #18794e; --bad: #b42318; --warn: #92600a; --error: #86198f; --mark: #fff3d6;
          --good-fill: #bfe3cf; --degraded-fill: #fbe3ad; --bad-fill: #f6c1bb; --neutral-fill: #cfd8e1; --waiting-fill: #cfd0f6;
          --degraded: #b77d05; --waiting: #4338ca }
        @media (prefers-color-scheme: dark) { :root { --paper: #11161b; --ink: #e4e9ee; --soft: #9aa8b5; --line: #2c353e;
          --panel: #1a2128; --link: #77b6f2; --good: #5cc28f; --bad: #ff8a80; --warn: #e0b050; --error: #e59bea; --mark: #3a3117;
          --good-fill: #1d4a35; --degraded-fill: #55430f; --bad-fill: #5f2722; --neutral-fill: #36424d; --waiting-fill: #34356b;
          --degraded: #e0b050; --waiting: #a5a8ff } }
        * { box-sizing: border-box }
        body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; padding: 1.2rem 1rem 4rem; max-width: 1180px; color: var(--ink);
          background: var(--paper) }
        h1 { font-size: 1.35rem; margin: .4rem 0 } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
        h3 { font-size: 1rem; margin: 0 } h4 { font-size: .95rem; margin: .8rem 0 .2rem }
        a { color: var(--link) } .soft { color: var(--soft); font-weight: 400 } .wrap { overflow-wrap: anywhere }
        .pass, .proved { color: var(--good) } .fail, .failed { color: var(--bad) } .error { color: var(--error) }
        .unsupported, .skipped, .notRun { color: var(--warn) } .outcome { font-weight: 700 }
        .tiles { display: flex; flex-wrap: wrap; gap: .5rem; margin: .8rem 0 } .tile { background: var(--panel); padding: .4rem .8rem;
          border-radius: 6px } .tile b { font-size: 1.25rem; display: block; line-height: 1.2 }
        .scroll { overflow-x: auto } .picture svg { min-width: 860px } .card { border: 1px solid var(--line); border-radius: 8px;
          padding: .8rem 1rem; margin: .8rem 0; break-inside: avoid-page }
        pre { background: var(--panel); padding: .6rem .8rem; margin: .3rem 0; overflow-x: auto; font-size: 12px; line-height: 1.5 }
        td pre { white-space: pre-wrap; overflow-wrap: anywhere } td.id { white-space: nowrap }
        pre b { font-weight: 600; display: inline-block; min-width: 100% } pre b.ev { background: var(--mark) }
        pre b.cause { color: var(--bad) } pre i { color: var(--soft); font-style: normal }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: .2rem 0 } dt { color: var(--soft) }
        dd { margin: 0; overflow-wrap: anywhere } .found { color: var(--bad) }
        table { border-collapse: collapse; font-size: 13.5px; width: 100% } td, th { padding: .2rem .6rem .2rem 0; text-align: left;
          vertical-align: top; border-bottom: 1px solid var(--line) } th { color: var(--soft); font-weight: 600 }
        td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap } td.what { overflow-wrap: anywhere }
        tr.ev td { background: var(--mark) } tr.change td { border-left: 3px solid var(--degraded); padding-left: .4rem }
        tr.cause td.what { color: var(--bad) } tr.change td.what { color: inherit; font-weight: 600 }
        .bar { position: sticky; top: 0; background: var(--paper); padding: .5rem 0; display: flex; flex-wrap: wrap; gap: .4rem;
          align-items: center; z-index: 1 } .bar input[type=search] { flex: 1 1 12rem; min-width: 8rem }
        input, button, select { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line);
          border-radius: 6px; padding: .25rem .6rem } button[aria-pressed=true] { border-color: var(--link); color: var(--link) }
        td.h { white-space: nowrap } .h span { display: inline-block; width: 7px; height: 14px; margin-right: 2px; border-radius: 1px; background: var(--neutral-fill) }
        .h .p { background: var(--good) } .h .f { background: var(--bad) } .h .e { background: var(--error) }
        .h .u, .h .s { background: var(--degraded-fill) } [hidden] { display: none !important }
        text { font: 12px system-ui, sans-serif; fill: var(--ink) } text.small { font-size: 10.5px; fill: var(--soft) }
        .paper { fill: var(--paper) } .grid { stroke: var(--line) } .change { stroke: var(--degraded) }
        rect.good { fill: var(--good-fill) } rect.degraded { fill: var(--degraded-fill) } rect.bad { fill: var(--bad-fill) }
        rect.neutral { fill: var(--neutral-fill) } rect.waiting { fill: var(--waiting-fill) }
        .m.good { stroke: var(--good); fill: var(--good) } .m.degraded { stroke: var(--degraded); fill: var(--degraded) }
        .m.bad { stroke: var(--bad); fill: var(--bad) } .m.neutral { stroke: var(--soft); fill: var(--soft) }
        .m.waiting { stroke: var(--waiting); fill: var(--waiting) }
        @media (max-width: 600px) { body { padding: .6rem .7rem 3rem } .wide { display: none } dl { grid-template-columns: 1fr } dt { margin-top: .2rem } }
        @media print { .bar, script { display: none } body { max-width: none; font-size: 11px } .picture svg { min-width: 0 } pre { white-space: pre-wrap;
          font-size: 9px } details > *:not(summary) { display: block } a { color: inherit } }
        """

    /// Shows the items of `#list` whose `data-k` is among the pressed buttons' words (all if none is pressed), whose `data-a`
    /// is the chosen area, and whose text contains what was typed. Items with `data-always` stay.
    static let filter = """
        function filters(list) {
          const items = [...document.querySelectorAll(list)], buttons = [...document.querySelectorAll('.bar button[data-k]')];
          const search = document.querySelector('.bar input[type=search]'), area = document.querySelector('.bar select');
          const shown = document.querySelector('.bar .shown');
          if (!search) return;
          const texts = items.map(item => item.textContent.toLowerCase());
          function apply() {
            const words = new Set(buttons.filter(b => b.getAttribute('aria-pressed') == 'true').map(b => b.dataset.k));
            const wanted = search.value.toLowerCase().split(/\\s+/).filter(w => w);
            let count = 0;
            items.forEach((item, index) => {
              const kinds = (item.dataset.k || '').split(' ');
              const fits = (!words.size || kinds.some(k => words.has(k))) && (!area || !area.value || item.dataset.a == area.value)
                && wanted.every(w => texts[index].includes(w));
              item.hidden = !fits && !('always' in item.dataset);
              if (!item.hidden) count++;
            });
            if (shown) shown.textContent = count == items.length ? items.length + ' shown' : count + ' of ' + items.length + ' shown';
          }
          buttons.forEach(b => b.addEventListener('click', () => {
            b.setAttribute('aria-pressed', b.getAttribute('aria-pressed') != 'true'); apply();
          }));
          search.addEventListener('input', apply);
          if (area) area.addEventListener('change', apply);
          document.addEventListener('keydown', e => {
            if (e.key == '/' && document.activeElement != search) { e.preventDefault(); search.focus(); }
          });
          apply();
          return { apply, buttons, area };
        }
        """
}
