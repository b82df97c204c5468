import Harness
import Scenario

/// The text that `serve` prints on start: addresses and example requests.
enum ServeDescription {
    static func lines(_ places: ServedEndpoints, of scenario: Scenario) -> [String] {
        var lines = ["serving \(scenario.title)"]
        lines.append("  origin   http://localhost:\(places.port)")
        if let port = places.securePort { lines.append("  TLS      https://localhost:\(port)") }
        for proxy in places.proxies { lines.append("  proxy    \(proxy.url)  (\(proxy.name))") }
        if let file = places.authorityFile { lines.append("  trust    \(file)") }
        for route in scenario.origin.routes { lines.append("  try      \(command(route, places))") }
        lines.append("Ctrl-C stops")
        return lines
    }

    private static func command(_ route: Route, _ places: ServedEndpoints) -> String {
        let port = places.securePort ?? places.port
        let scheme = places.securePort == nil ? "http" : "https"
        let trust = places.securePort == nil ? "" : places.authorityFile.map { "--cacert \($0) " } ?? ""
        guard let host = route.host else { return "curl \(trust)\(scheme)://localhost:\(port)\(route.path)" }
        return "curl \(trust)--connect-to \(host)::localhost:\(port) \(scheme)://\(host)\(route.path)"
    }
}
