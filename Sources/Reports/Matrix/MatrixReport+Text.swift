extension MatrixReport {
    /// The numbers of behaviours for each client, for the console.
    package var lines: [String] {
        let states: [State] = [.right, .partly, .wrong, .varies, .cannot, .noResult]
        let rows = clients.map { client in
            let counts = counts(of: client.id)
            return [
                TerminalSanitizer.text(client.name, limit: 40),
                TerminalSanitizer.text(client.version ?? "not installed", limit: 30),
            ]
                + states.map { "\(counts[$0] ?? 0)" }
        }
        return TextTable([["client", "version"] + states.map(\.words)] + rows, rightAligned: Set(2..<2 + states.count))
            .lines
    }
}
