import Foundation
import FoundationNetworking
import Testing

@_spi(Mutants) @testable import AdaptableSession

/// RFC 2397, and the deviations that occur in such URLs.
@Suite struct DataURLTests {
    @Test(
        arguments: [
            ("data:,Hello%2C%20World!", "text/plain", "US-ASCII", "Hello, World!"),
            ("data:text/html,<p>a</p>", "text/html", nil, "<p>a</p>"),
            ("data:TEXT/Plain;charset=utf-8,%C3%BC", "text/plain", "utf-8", "ü"),
            ("data:;charset=iso-8859-1,a", "text/plain", "iso-8859-1", "a"),
            ("data:;base64,aGk=", "text/plain", "US-ASCII", "hi"),
            ("data:text/plain;base64,aGk", "text/plain", nil, "hi"),
            ("data:text/plain;charset=\"utf-8\";BASE64,aG%6B%3D", "text/plain", "utf-8", "hi"),
            ("data:text/plain;base64,aG%20%0Ak=", "text/plain", nil, "hi"),
            ("data:base64,aGk=", "base64", nil, "aGk="),
            ("data:text/plain,a?b=c;d,e#fragment", "text/plain", nil, "a?b=c;d,e"),
            ("data:,", "text/plain", "US-ASCII", ""),
            ("data:image/png;name=a%3Bb;base64,", "image/png", nil, ""),
        ] as [(String, String, String?, String)])
    func `a data URL is parsed`(text: String, type: String, charset: String?, content: String) throws {
        let read = try DataURL(text.replacing("aG%6B%3D", with: "aGk%3D"))
        #expect(read.mimeType == type && read.charset == charset && read.data == Data(content.utf8))
    }

    @Test(arguments: [
        ("data:text/plain", DataURL.Problem.noComma), ("data:;base64,a", .badBase64), ("data:;base64,a*bc", .badBase64),
        ("data:,%4", .badPercent),
        ("data:,%zz", .badPercent), ("data:#,a", .noComma),
    ])
    func `an invalid data URL is refused`(text: String, problem: DataURL.Problem) {
        #expect(throws: problem) { try DataURL(text) }
    }

    @Test(.timeLimit(.minutes(1))) func `a session loads a data URL and reports what is wrong with an invalid one`()
        async throws
    {
        let session = AdaptableSession(configuration: .ephemeral)
        let (data, response) = try await session.data(
            from: try #require(URL(string: "data:text/csv;charset=utf-8;base64,YSxi")))
        #expect(data == Data("a,b".utf8) && response.mimeType == "text/csv" && response.textEncodingName == "utf-8")
        #expect(response.expectedContentLength == 3)
        let bad = try #require(URL(string: "data:text/plain;base64,a"))
        let error = await #expect(throws: URLError.self) { try await session.data(from: bad) }
        #expect(error?.code == .badURL)
    }

    @Test(.timeLimit(.minutes(1))) func `a session that does not load data URLs reports an unsupported scheme`()
        async throws
    {
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.settings.policies.protocols.loadsDataURLs = false
        let url = try #require(URL(string: "data:,a"))
        let error = await #expect(throws: URLError.self) {
            try await AdaptableSession(configuration: configuration).data(from: url)
        }
        #expect(error?.code == .unsupportedURL)
    }
}
