extension MatrixPage {
    /// The colours differ in lightness and every state has a sign of its own, so that the table is readable without
    /// colours.
    static let style = """
        :root { color-scheme: light dark; --ink: #1c2733; --soft: #52616f; --page: #fff; --band: #f2f5f8; --line: #d3dae1; --link: #1d4ed8;
          --right: #cdebd8; --wrong: #f7c4bd; --partly: #fde4ae; --varies: #dcd6f7; --cannot: #fff; --noResult: #e3e8ed }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e4e9ee; --soft: #a3b0bc; --page: #12171c; --band: #1c232a; --line: #37424d; --link: #93b4ff;
            --right: #1d4731; --wrong: #6b241d; --partly: #5b450c; --varies: #3d3470; --cannot: #12171c; --noResult: #303943 } }
        * { box-sizing: border-box }
        body { font: 15px/1.45 system-ui, sans-serif; margin: 0; padding: 1.2rem; color: var(--ink); background: var(--page) }
        h1 { font-size: 1.4rem; margin: 0 0 .2rem } h2 { font-size: 1.1rem; margin-top: 1.6rem }
        p { margin: .2rem 0 .6rem } a { color: var(--link) } .hint { color: var(--soft); font-size: 13px }
        .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; margin: .4rem 0; font-size: 13px }
        .chip { display: inline-block; min-width: 1.5em; text-align: center; border: 1px solid var(--line); border-radius: 3px }
        [data-s=right] { background: var(--right) } [data-s=wrong] { background: var(--wrong) } [data-s=partly] { background: var(--partly) }
        [data-s=varies] { background: var(--varies) } [data-s=cannot] { background: var(--cannot) } [data-s=noResult] { background: var(--noResult) }
        .controls { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .6rem 0; font-size: 14px }
        .controls[hidden] { display: none } .controls input, .controls select, .controls button { font: inherit; color: inherit }
        .controls input[type=search], .controls select, .controls button { background: var(--band); border: 1px solid var(--line); border-radius: 4px; padding: .2rem .4rem }
        .boxes { display: flex; flex-wrap: wrap; gap: .2rem .9rem; padding: .3rem 0 }
        #count { color: var(--soft) }
        .table { overflow: auto; max-height: 92vh; border: 1px solid var(--line) }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 1px }
        table { border-collapse: separate; border-spacing: 0; font-size: 13px; min-width: 100% }
        th, td { padding: .3rem .45rem; border-bottom: 1px solid var(--line); border-right: 1px solid var(--line); vertical-align: top }
        th { text-align: left; font-weight: 400; background: var(--page) }
        td { text-align: center; white-space: nowrap; font-variant-numeric: tabular-nums }
        thead th { position: sticky; top: 0; z-index: 2; background: var(--band); min-width: 4.2rem; vertical-align: bottom }
        tr > th:first-child { position: sticky; left: 0; z-index: 1; min-width: 24rem }
        thead tr > th:first-child { z-index: 3 }
        .totals th, .totals td { background: var(--band); color: var(--soft); font-size: 12px }
        .client { display: block; font-weight: 600 } .version, .date { display: block; color: var(--soft); font-size: 11.5px; overflow-wrap: anywhere }
        .area th { background: var(--band); font-weight: 700; font-size: 14px } .area span { position: sticky; left: .45rem }
        .title { font-weight: 600 } .statement, .details { display: block } .details { color: var(--soft); font-size: 11.5px }
        .scenario th { padding-left: 1.7rem; background: var(--band) } .scenario td { font-size: 12px }
        .number { font-size: 12px } .sign { font-weight: 700 } td a { color: inherit; text-decoration: none } td a:hover { text-decoration: underline }
        td sup a { color: var(--link); padding: 0 .1em }
        .word { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
        td > a, td { position: relative }
        .js tbody:not(.open) .scenario { display: none }
        [hidden] { display: none }
        .sort, .more { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-align: left }
        .sort .client { display: inline } .sort::after { content: " ↕"; color: var(--soft) } [aria-sort=ascending] .sort::after { content: " ↑" } [aria-sort=descending] .sort::after { content: " ↓" }
        .more::before { content: "▸"; display: inline-block; width: 1.1em } .open .more::before { content: "▾" }
        .notes { font-size: 13.5px } .notes li:target { background: var(--partly) }
        @media (max-width: 1000px) { tr > th:first-child { min-width: 17rem } }
        @media (max-width: 640px) {
          body { padding: .7rem } .hint, .legend { font-size: 12px }
          tr > th:first-child { width: 44vw; min-width: 44vw; max-width: 44vw } thead th { min-width: 4.2rem }
          .scenario th { padding-left: .9rem } .js tbody:not(.open) .statement, .js tbody:not(.open) .details { display: none }
          .name, .title, .details { overflow-wrap: anywhere }
        }
        @media print {
          @page { size: A4 landscape; margin: 9mm }
          :root { color-scheme: light; --ink: #000; --soft: #333; --page: #fff; --band: #eef1f4; --line: #999; --link: #000;
            --right: #cdebd8; --wrong: #f7c4bd; --partly: #fde4ae; --varies: #dcd6f7; --cannot: #fff; --noResult: #e3e8ed }
          body { font-size: 8.5pt; padding: 0 } .controls, .hint { display: none } .table { overflow: visible; max-height: none; border: 0 }
          table { font-size: 7pt; width: 100%; table-layout: fixed; min-width: 0 } th, td { padding: 1pt 2pt }
          thead th, tr > th:first-child, .area span { position: static } thead th { min-width: 0; overflow-wrap: anywhere } tr > th:first-child { width: 34%; min-width: 0 }
          thead .client { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 30mm; text-align: left }
          .date, .sort::after, .more::before { display: none } .sort::after, .more::before { content: none } .version { font-size: 6pt }
          .details, .number, td sup { font-size: 6pt } .totals th, .totals td { font-size: 6pt } .legend, .area th { font-size: 8pt } tr { break-inside: avoid } thead { display: table-header-group }
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
        }
        """
}
