import ScenarioLanguage
import Lab
import LinkEmulator

extension ProfileDrawing {
    /// Two panels: rate over time, and how long packets took; down is filled, up is a line.
    var svg: String {
        let (width, height) = (760, 480)
        var out = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
            font-family="system-ui, sans-serif" font-size="12" fill="#1c2733">
            <rect width="\(width)" height="\(height)" fill="#ffffff"/>
            <text x="76" y="22" font-size="15">\(Self.escaped(profile.name)): \(Self.escaped(profile.summary))</text>

            """
        out += ratePanel(Panel(left: 76, top: 50, width: 664, height: 170))
        out += delayPanel(Panel(left: 76, top: 280, width: 664, height: 160))
        return out + "</svg>\n"
    }

    private struct Panel {
        var left, top, width, height: Double
        var bottom: Double { top + height }

        func frame(_ title: String, top label: String, from first: String, to last: String) -> String {
            """
            <text x="\(left)" y="\(top - 6)" fill="#52616f">\(title)</text>
            <path d="M\(left) \(top)V\(bottom)H\(left + width)" fill="none" stroke="#8795a1"/>
            <text x="\(left - 4)" y="\(top + 10)" text-anchor="end" font-size="10">\(label)</text>
            <text x="\(left - 4)" y="\(bottom)" text-anchor="end" font-size="10">0</text>
            <text x="\(left)" y="\(bottom + 15)" font-size="10">\(first)</text>
            <text x="\(left + width)" y="\(bottom + 15)" text-anchor="end" font-size="10">\(last)</text>

            """
        }

        /// A step curve of values over equal intervals, scaled to the highest value.
        func stairs(_ values: [Double], highest: Double, _ direction: LinkDirectionName) -> String {
            guard highest > 0, !values.isEmpty else { return "" }
            var path = "M\(point(left)) \(point(bottom))"
            for (index, value) in values.enumerated() {
                let end = left + width * Double(index + 1) / Double(values.count)
                path += "V\(point(bottom - height * value / highest))H\(point(end))"
            }
            path += "V\(point(bottom))"
            switch direction {
            case .downlink: return "<path d=\"\(path)\" fill=\"#9cc3e6\" stroke=\"#2a6fb0\"/>\n"
            case .uplink: return "<path d=\"\(path)\" fill=\"none\" stroke=\"#b3541e\" stroke-width=\"1.5\"/>\n"
            }
        }

        private func point(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
    }

    private func ratePanel(_ panel: Panel) -> String {
        let highest = sides.flatMap(\.simulation.rates).max() ?? 0
        let losses = sides.map { "\($0.name.rawValue) \(ProfileSummary.percent($0.simulation.lossShare))" }.joined(
            separator: ", ")
        return sides.map { panel.stairs($0.simulation.rates, highest: highest, $0.name) }.joined()
            + panel.frame(
                "delivered rate (blue down, brown up); lost: \(losses)", top: ProfileSummary.rate(highest), from: "0 s",
                to: "20 s")
    }

    private func delayPanel(_ panel: Panel) -> String {
        let delays = sides.flatMap { [$0.simulation.delays.first, $0.simulation.delays.last] }.compactMap(\.self)
        guard let last = delays.max() else {
            return panel.frame("no delay to show, because no packet arrived", top: "", from: "", to: "")
        }
        // Both directions share one scale that starts at 0, so that they can be compared.
        let bins = 60
        let width = last / Int64(bins) + 1
        let counts = sides.map { side in
            var counts = [Double](repeating: 0, count: bins)
            for delay in side.simulation.delays { counts[min(bins - 1, Int(delay / width))] += 1 }
            return counts
        }
        let highest = counts.joined().max() ?? 0
        return zip(sides, counts).map { panel.stairs($1, highest: highest, $0.name) }.joined()
            + panel.frame(
                "packets by one-way delay", top: "\(Int(highest))", from: "0 ms",
                to: ProfileSummary.milliseconds(Double(width) * Double(bins)))
    }

    private static func escaped(_ text: String) -> String {
        text.map { $0 == "&" ? "&amp;" : $0 == "<" ? "&lt;" : String($0) }.joined()
    }
}
