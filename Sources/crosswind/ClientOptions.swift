import ArgumentParser
import Harness
import Record

/// The client to run: an adapter, a client of scripts/clients, or a command.
struct ClientOptions: ParsableArguments {
    @Option(
        help:
            "foundation (stock URLSession, the default), adaptable, python, or a command that speaks the adapter protocol."
    )
    var adapter: String?

    @Option(
        help: ArgumentHelp(
            "A client of scripts/clients by the name of its folder, with the baseline.yaml beside it.",
            valueName: "name"
        ))
    var client: String?

    @Option(
        help: ArgumentHelp(
            "A client program without an adapter, such as 'curl -sS -L --fail -o {file} {url}'. Each request is one run of it, without a shell.",
            discussion: """
                {url} the URL, which must occur; {file} a path for the response body ({name}: only its name, in the working \
                directory; without both, the standard output is the body); {method}; {body} a file with the request body; \
                {headers} one `Name: value` for each field; {requestTimeout} and {resourceTimeout} in seconds. A word is repeated \
                for each value and left out when there is none: --header={headers}. With an option, as in {headers:-H}, \
                {method:-X} or '{body:--data-binary @}', the option comes before each value, as a word of its own unless it ends \
                with =, @ or a colon. {{ and }} are braces. Exit status, delivered body and wire are judged; checks of callbacks \
                are not.
                """, valueName: "template"))
    var command: String?

    @Option(
        help: ArgumentHelp(
            "Meanings of exit statuses, such as 6=nameResolution,7=refused,28=timedOut (known for curl, wget and aria2c; others mean `other`).",
            discussion: """
                offline, nameResolution, refused, lost, truncated, timedOut, tlsRejected, malformedResponse, cancelled, other; \
                errorResponse: a response with an error status arrived; usage: the program refused its arguments.
                """, valueName: "map"))
    var commandClasses: String?

    @Option(
        help: ArgumentHelp(
            "Capabilities that the command has beyond those its placeholders show, such as followRedirects,cancel; with a minus sign it lacks one. `cancel` kills the process.",
            valueName: "capabilities"))
    var commandOffers: String?

    func validate() throws {
        if [adapter, client, command].count(where: { $0 != nil }) > 1 {
            throw ValidationError("give one of --adapter, --client and --command")
        }
        if command == nil, commandClasses != nil || commandOffers != nil {
            throw ValidationError("--command-classes and --command-offers describe a --command; add it")
        }
    }

    func choice(_ home: InstallLayout) throws(HarnessError) -> AdapterChoice {
        if let client {
            guard let choice = try AdapterChoice.client(named: client, layout: home) else {
                let catalogue = ClientCatalogue(folder: ClientCatalogue.folder(home))
                throw .unknownClient(client, known: catalogue.entries.map(\.id))
            }
            return choice
        }
        guard let command else { return try AdapterChoice.parse(adapter ?? "foundation", layout: home) }
        return try AdapterChoice.command(command, classes: commandClasses, offers: commandOffers, layout: home)
    }

    /// Returns the profile to ask: `asked`, else the client's own, else everything.
    func profile(_ asked: ClientProfile?, of choice: AdapterChoice) throws -> ClientProfile {
        guard let own = choice.profile, let asked else { return asked ?? choice.profile ?? .urlsession }
        guard own.includes(asked) else {
            throw stop(
                Status.usage,
                "\(choice.name) runs with the profile \(own.rawValue), not with \(asked.rawValue); leave --profile out"
            )
        }
        return asked
    }
}
