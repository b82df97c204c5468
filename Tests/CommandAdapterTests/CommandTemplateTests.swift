import AdapterProtocol
import Testing

@testable import CommandAdapter

/// The words that a program gets, compared one by one: a value with spaces or quotes must stay one word.
@Suite struct CommandTemplateTests {
    private let get = CommandValues(
        url: "http://api.test/a b?c='d'", file: "/mnt/1/response-body", name: "response-body")

    private var post: CommandValues {
        var post = get
        post.method = "POST"
        post.body = "/mnt/1/request-body"
        post.headers = [HeaderField("X-One", "1 2"), HeaderField("X-Empty", "")]
        return post
    }

    private func words(_ template: String, _ values: CommandValues) throws -> [String] {
        try CommandTemplate(template).arguments(for: values)
    }

    @Test func `a URL with spaces and quotes stays one word`() throws {
        #expect(
            try words("curl -sS --fail -o {file} {url}", get)
                == ["-sS", "--fail", "-o", "/mnt/1/response-body", "http://api.test/a b?c='d'"])
    }

    @Test func `quotes keep words together and the first word is the program`() throws {
        let template = try CommandTemplate("'my tool' -H \"A: b c\" '' {url}")
        #expect(template.program == "my tool")
        #expect(template.arguments(for: get) == ["-H", "A: b c", "", get.url])
        #expect(template.fixedWords == ["-H", "A: b c", ""])
    }

    @Test func `an option comes before each field and is left out without fields`() throws {
        #expect(try words("t {headers:-H} {url}", get) == [get.url])
        #expect(try words("t {headers:-H} {url}", post) == ["-H", "X-One: 1 2", "-H", "X-Empty:", get.url])
    }

    @Test func `a word is repeated for each field and left out without fields`() throws {
        #expect(try words("t --header={headers} {url}", get) == [get.url])
        #expect(
            try words("t --header={headers} {url}", post)
                == ["--header=X-One: 1 2", "--header=X-Empty:", get.url])
    }

    @Test(arguments: [
        ("{body:--data-binary @}", ["--data-binary", "@/mnt/1/request-body"]),
        ("{body:--post-file=}", ["--post-file=/mnt/1/request-body"]),
        ("{body:-d}", ["-d", "/mnt/1/request-body"]), ("--post-file={body}", ["--post-file=/mnt/1/request-body"]),
        ("{body}", ["/mnt/1/request-body"]),
    ])
    func `a body is joined to an option that ends with a separator`(_ word: String, _ expected: [String]) throws {
        #expect(try words("t \(word) {url}", post) == expected + [get.url])
        #expect(try words("t \(word) {url}", get) == [get.url])
    }

    @Test(
        arguments: [
            (nil, false, [], ["GET"]), ("GET", false, [], ["GET"]), ("DELETE", false, ["-X", "DELETE"], ["DELETE"]),
            (nil, true, [], ["POST"]), ("POST", true, [], ["POST"]), ("PUT", true, ["-X", "PUT"], ["PUT"]),
            ("POST", false, ["-X", "POST"], ["POST"]), ("GET", true, ["-X", "GET"], ["GET"]),
        ] as [(String?, Bool, [String], [String])])
    func `an optional method is left out where the body implies it`(
        _ method: String?, _ hasBody: Bool, _ optional: [String], _ always: [String]
    ) throws {
        var values = get
        values.method = method
        values.body = hasBody ? "b" : nil
        #expect(try words("t {method:-X} {url}", values) == optional + [get.url])
        #expect(try words("t -X {method} {url}", values) == ["-X"] + always + [get.url])
    }

    @Test(arguments: [
        (Duration.seconds(15), "15"), (.milliseconds(2500), "2.5"), (.milliseconds(50), "0.05"),
        (.milliseconds(1250), "1.25"),
    ])
    func `a timeout is written in seconds`(_ timeout: Duration, _ text: String) throws {
        var values = get
        values.requestTimeout = timeout
        #expect(
            try words("t {requestTimeout:--timeout=} {resourceTimeout:-m} {url}", values) == [
                "--timeout=\(text)", get.url,
            ])
    }

    @Test func `double braces stand for braces`() throws {
        #expect(try words("curl -w %{{http_code}} {url}", get) == ["-w", "%{http_code}", get.url])
    }

    @Test func `placeholders inside one word are all replaced`() throws {
        #expect(try words("t --get={url}>{name} {{url}}", get) == ["--get=\(get.url)>response-body", "{url}"])
    }

    @Test(
        arguments: [
            ("", CommandError.empty), ("   ", .empty), ("curl -sS", .withoutURL("curl -sS")),
            ("curl {{url}}", .withoutURL("curl {{url}}")), ("curl {uri}", .unknownPlaceholder("uri")),
            ("curl -w %{http_code} {url}", .unknownPlaceholder("http_code")),
            ("{url} x", .placeholderAsProgram("{url}")),
            ("curl -H{headers:-H} {url}", .optionInsideWord("-H{headers:-H}")),
            ("curl {headers:-H}x {url}", .optionInsideWord("{headers:-H}x")), ("curl {url", .openBrace("{url")),
            ("curl url} {url}", .openBrace("url}")), ("curl 'a {url}", .openQuote("curl 'a {url}")),
            ("curl -d {body} {url}", .valueMayBeAbsent(option: "-d", placeholder: "body")),
        ] as [(String, CommandError)])
    func `a template that cannot be used is refused with its reason`(_ template: String, _ error: CommandError) {
        #expect(throws: error) { try CommandTemplate(template) }
        #expect(!error.description.contains("\n"))
    }
}
