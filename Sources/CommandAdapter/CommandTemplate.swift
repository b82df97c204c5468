package import AdapterProtocol

/// The command line of a client program, with placeholders for the request. It runs without a shell: a value is never
/// split, and quotes only keep words of the template together.
///
/// `{url}` inside a word is replaced by its value; a word is repeated for each value of its placeholder, and left out
/// when there is none, so `--header={headers}` becomes one word for each field. `{headers:-H}` is a whole word: it
/// becomes `-H` and the value for each field, and `{body:--data-binary @}` becomes `--data-binary` and `@FILE`, or
/// nothing for a request without a body. `{{` and `}}` stand for braces.
package struct CommandTemplate: Hashable, Sendable {
    package enum Placeholder: String, CaseIterable, Hashable, Sendable {
        case url
        /// The path of the file for the response body. Without it the standard output is the body.
        case file
        /// The name of that file in the working directory of the command.
        case name
        case method
        /// The path of a file with the request body.
        case body
        /// The fields of the request, each as `Name: value`.
        case headers
        /// Seconds.
        case requestTimeout, resourceTimeout

        /// True if a request may not have the value; without it, an option before it would take the next word.
        fileprivate var mayBeAbsent: Bool {
            switch self {
            case .url, .file, .name, .method: false
            case .body, .headers, .requestTimeout, .resourceTimeout: true
            }
        }
    }

    private enum Part: Hashable {
        case literal(String)
        case placeholder(Placeholder)
    }

    private enum Word: Hashable {
        case parts([Part])
        /// These words and the value, joined to the last text, for each value that the request itself has.
        case option(Placeholder, before: [String], joined: String)
    }

    package let text: String
    package let program: String
    private let arguments: [Word]

    package init(_ text: String) throws(CommandError) {
        self.text = text
        guard let raw = CommandTemplate.words(of: text, withPlaceholders: true) else { throw .openQuote(text) }
        guard let first = raw.first, !first.isEmpty else { throw .empty }
        guard !first.contains("{") else { throw .placeholderAsProgram(first) }
        program = first
        var words: [Word] = []
        for word in raw.dropFirst() { words.append(try CommandTemplate.parse(word)) }
        arguments = words
        for (before, word) in zip(words, words.dropFirst()) {
            guard case .parts(let option) = before, case .parts(let value) = word, option.count == 1, value.count == 1,
                case .literal(let text) = option[0], text.hasPrefix("-"), case .placeholder(let placeholder) = value[0],
                placeholder.mayBeAbsent
            else { continue }
            throw .valueMayBeAbsent(option: text, placeholder: placeholder.rawValue)
        }
        guard uses(.url) else { throw .withoutURL(text) }
    }

    package func uses(_ placeholder: Placeholder) -> Bool {
        arguments.contains { word in
            switch word {
            case .parts(let parts): parts.contains(.placeholder(placeholder))
            case .option(let used, _, _): used == placeholder
            }
        }
    }

    /// The arguments that do not depend on the request, such as `-L`.
    package var fixedWords: [String] {
        arguments.compactMap { word in
            guard case .parts(let parts) = word else { return nil }
            var text = ""
            for part in parts {
                guard case .literal(let literal) = part else { return nil }
                text += literal
            }
            return text
        }
    }

    /// Returns the arguments of the program for a request.
    package func arguments(for values: CommandValues) -> [String] {
        arguments.flatMap { word -> [String] in
            switch word {
            case .option(let placeholder, let before, let joined):
                return values.own(placeholder).flatMap { before + [joined + $0] }
            case .parts(let parts):
                return parts.reduce([""]) { texts, part in
                    switch part {
                    case .literal(let literal): texts.map { $0 + literal }
                    case .placeholder(let placeholder):
                        texts.flatMap { text in values.all(placeholder).map { text + $0 } }
                    }
                }
            }
        }
    }

    // MARK: - Reading

    /// Splits a command line at spaces and line ends outside quotes, and outside braces if it has placeholders. Returns
    /// nil if a quote is not closed.
    package static func words(of text: String, withPlaceholders: Bool) -> [String]? {
        var words: [String] = []
        var word = ""
        var hasWord = false
        var isInside = false
        var quote: Character?
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case quote: quote = nil
            case "'" where quote == nil, "\"" where quote == nil:
                quote = character
                hasWord = true
            case " " where quote == nil && !isInside, "\n" where quote == nil && !isInside:
                if hasWord { words.append(word) }
                (word, hasWord) = ("", false)
            case "{" where withPlaceholders, "}" where withPlaceholders:
                if rest.first == character, !isInside {
                    rest.removeFirst()
                    word += "\(character)\(character)"
                } else {
                    isInside = character == "{"
                    word.append(character)
                }
                hasWord = true
            default:
                word.append(character)
                hasWord = true
            }
        }
        if quote != nil { return nil }
        if hasWord { words.append(word) }
        return words
    }

    private static func parse(_ word: String) throws(CommandError) -> Word {
        var parts: [Part] = []
        var literal = ""
        var rest = word[...]
        while let character = rest.popFirst() {
            switch character {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                rest.removeFirst()
                literal.append(character)
            case "{":
                guard let end = rest.firstIndex(of: "}") else { throw .openBrace(word) }
                let inside = rest[..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                rest = rest[end...].dropFirst()
                guard let placeholder = Placeholder(rawValue: String(inside[0])) else {
                    throw .unknownPlaceholder(String(inside[0]))
                }
                guard inside.count == 2 else {
                    if !literal.isEmpty { parts.append(.literal(literal)) }
                    literal = ""
                    parts.append(.placeholder(placeholder))
                    continue
                }
                guard parts.isEmpty, literal.isEmpty, rest.isEmpty else { throw .optionInsideWord(word) }
                return option(placeholder, inside[1])
            case "}": throw .openBrace(word)
            default: literal.append(character)
            }
        }
        if !literal.isEmpty || parts.isEmpty { parts.append(.literal(literal)) }
        return .parts(parts)
    }

    /// An option that ends with `=`, `@` or `:` is joined to its value; others are words of their own.
    private static func option(_ placeholder: Placeholder, _ prefix: Substring) -> Word {
        var before = prefix.split(separator: " ").map(String.init)
        var joined = ""
        if let last = before.last, let end = last.last, "=@:".contains(end) {
            joined = last
            before.removeLast()
        }
        return .option(placeholder, before: before, joined: joined)
    }
}

/// The values of the placeholders for one request.
package struct CommandValues: Hashable, Sendable {
    package var url: String
    package var file: String
    package var name: String
    package var method: String?
    package var body: String?
    package var headers: [HeaderField]
    package var requestTimeout: Duration?
    package var resourceTimeout: Duration?

    package init(
        url: String, file: String = "", name: String = "", method: String? = nil, body: String? = nil,
        headers: [HeaderField] = [], requestTimeout: Duration? = nil, resourceTimeout: Duration? = nil
    ) {
        self.url = url
        self.file = file
        self.name = name
        self.method = method
        self.body = body
        self.headers = headers
        self.requestTimeout = requestTimeout
        self.resourceTimeout = resourceTimeout
    }

    /// Returns the values that the request itself has.
    func own(_ placeholder: CommandTemplate.Placeholder) -> [String] {
        switch placeholder {
        case .url: [url]
        case .file: [file]
        case .name: [name]
        // A program that gets this option may repeat the method after a redirect, so it is left out where it does nothing.
        case .method: [method].compactMap { $0 == implied ? nil : $0 }
        case .body: [body].compactMap(\.self)
        case .headers: headers.map { $0.value.isEmpty ? "\($0.name):" : "\($0.name): \($0.value)" }
        case .requestTimeout: [requestTimeout].compactMap { $0.map(CommandValues.seconds) }
        case .resourceTimeout: [resourceTimeout].compactMap { $0.map(CommandValues.seconds) }
        }
    }

    /// Returns the values inside a word, in which the method of a request is never left out.
    func all(_ placeholder: CommandTemplate.Placeholder) -> [String] {
        guard placeholder == .method else { return own(placeholder) }
        return [method ?? implied]
    }

    /// The method of a request that names none.
    private var implied: String { body == nil ? "GET" : "POST" }

    /// Returns `15` for whole seconds, which is all that many programs accept, and else `2.5`.
    private static func seconds(_ duration: Duration) -> String {
        let (seconds, rest) = duration.components
        let thousandths = rest / 1_000_000_000_000_000
        if thousandths == 0 { return "\(seconds)" }
        var digits = String(String(thousandths + 1000).dropFirst())
        while digits.last == "0" { digits.removeLast() }
        return "\(seconds).\(digits)"
    }
}
