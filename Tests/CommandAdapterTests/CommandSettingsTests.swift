import AdapterProtocol
import Foundation
import Testing

@testable import CommandAdapter

@Suite struct CommandSettingsTests {
    private static let plain: Set<Capability> = [.data, .download, .delegate, .completionHandler, .tls]

    private func capabilities(_ template: String, offers: String? = nil, about: String = "") throws -> Set<Capability> {
        try CommandSettings(template: template, offers: offers).capabilities(about: about)
    }

    @Test(
        arguments: [
            ("t {url}", []), ("t {body} {url}", [.upload]), ("t {headers:-H} {url}", [.sessionHeaders]),
            ("t {requestTimeout:-t} {url}", [.requestTimeout]), ("t {resourceTimeout:-m} {url}", [.resourceTimeout]),
            ("t {method} {file} {url}", []),
            ("curl {url}", [.systemProxy]), ("curl -L {url}", [.systemProxy, .followRedirects]),
            ("/opt/curl -fsSL {url}", [.systemProxy, .followRedirects]),
            ("curl --compressed {url}", [.systemProxy, .contentDecoding]),
            ("curl --location {url}", [.systemProxy, .followRedirects]),
            // The letters after an option with a value are that value.
            ("curl -oL {url}", [.systemProxy]), ("curl -sS --noproxy * {url}", []), ("curl -sxproxy:1 {url}", []),
            ("wget -q {url}", [.systemProxy, .followRedirects]), ("wget --max-redirect=0 {url}", [.systemProxy]),
            ("wget --no-proxy {url}", [.followRedirects]), ("aria2c {url}", [.systemProxy, .followRedirects]),
        ] as [(String, Set<Capability>)])
    func `the words of a command decide its capabilities`(_ template: String, _ more: Set<Capability>) throws {
        #expect(try capabilities(template) == CommandSettingsTests.plain.union(more))
    }

    @Test func `curl has HTTP 2 if its version says so and its arguments allow it`() throws {
        let about = "curl 7.88.1 (x86_64-pc-linux-gnu)\nFeatures: alt-svc brotli HTTP2 HTTPS-proxy\n"
        #expect(try capabilities("curl {url}", about: about).contains(.http2))
        #expect(try !capabilities("curl --http1.1 {url}", about: about).contains(.http2))
        #expect(try !capabilities("curl {url}", about: "curl 7.88.1\nFeatures: brotli\n").contains(.http2))
        #expect(try !capabilities("wget {url}", about: about).contains(.http2))
    }

    @Test func `offers add capabilities and take them back`() throws {
        #expect(
            try capabilities("curl -L {url}", offers: "cancel, cookies,-tls,-followRedirects")
                == [.data, .download, .delegate, .completionHandler, .systemProxy, .cancel, .cookies])
        #expect(throws: CommandError.unknownOffer("-fly")) {
            try CommandSettings(template: "t {url}", offers: "cancel,-fly")
        }
    }

    @Test func `a command reports its end and what it wrote and nothing else`() {
        let reported = TaskEventName.allCases.filter(CommandSettings.reports.contains)
        #expect(
            Set(reported)
                == [.didComplete, .completionHandler, .didReceiveData, .fileContent, .didFinishDownloading])
        #expect(CommandSettings.reports.problem == nil)
    }

    @Test(
        arguments: [
            ("t {url}", nil, false, false, nil), ("t {url}", "GET", false, false, nil),
            ("t {url}", "HEAD", false, false, "the method HEAD: a command cannot show a response without a body"),
            (
                "t {method} {url}", "HEAD", false, false,
                "the method HEAD: a command cannot show a response without a body"
            ),
            ("t {url}", "DELETE", false, false, "the method DELETE: the command does not contain {method}"),
            ("t {method:-X} {url}", "DELETE", false, false, nil),
            ("t {url}", nil, true, false, "a request body: the command does not contain {body}"),
            ("t {body} {url}", "POST", true, false, nil), ("t {body} {url}", nil, true, false, nil),
            ("t {body} {url}", "PUT", true, false, "the method PUT: the command does not contain {method}"),
            ("t {url}", nil, false, true, "header fields of the request: the command does not contain {headers}"),
            ("t --header={headers} {url}", nil, false, true, nil),
        ] as [(String, String?, Bool, Bool, String?)])
    func `a task that the command cannot do is declined with the missing placeholder`(
        _ template: String, _ method: String?, _ hasBody: Bool, _ hasFields: Bool, _ missing: String?
    ) throws {
        var task = TaskDescription(task: "first", kind: .data, url: "http://api.test/")
        task.method = method
        task.body = hasBody ? .bytes([1]) : nil
        task.headers = hasFields ? [HeaderField("A", "b")] : []
        #expect(try CommandSettings(template: template).missing(for: task) == missing)
    }

    @Test func `a program is found in PATH or by its path and its name has neither folder nor suffix`() throws {
        let settings = try CommandSettings(template: "sh {url}")
        #expect(try settings.locate(path: "/nowhere:/bin") == "/bin/sh")
        #expect(throws: CommandError.notInstalled("sh")) { try settings.locate(path: "/nowhere") }
        let script = try CommandSettings(template: "/nowhere/my-client.sh {url}")
        #expect(script.name == "my-client")
        #expect(throws: CommandError.notInstalled("/nowhere/my-client.sh")) { try script.locate() }
    }

    @Test(arguments: [
        ("curl 7.88.1 (x86_64-pc-linux-gnu)\nRelease-Date: 2023", "7.88.1"), ("GNU Wget 1.21.3 built on", "1.21.3"),
        ("aria2 version 1.36.0", "1.36.0"), ("", ""), ("no number\n1.0", ""),
    ])
    func `the version is the first number of the first line`(_ about: String, _ version: String) {
        #expect(ProgramVersion.number(in: about) == version)
    }
}
