import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

@Suite struct BodyLengthTests {
    /// RFC 9110 §8.6: one or more digits.
    @Test(
        arguments: [
            ("10", 10), ("0", 0), (" 7 ", 7), ("-5", nil), ("+5", nil), ("1e3", nil), ("0x10", nil), ("5, 5", nil),
            ("٣", nil), ("99999999999999999999", nil),
        ] as [(String, Int64?)])
    func `a stream has the length of the Content-Length field if that is a number`(text: String, length: Int64?) throws
    {
        var request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        request.setValue(text, forHTTPHeaderField: "Content-Length")
        #expect(BodyLength.length(of: .stream, request) == length)
    }

    /// The bytes that are sent are those of the file, so the length of the link's own text would be wrong.
    @Test func `the length and identity of a symbolic link are those of its file`() throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file")
        let link = folder.appendingPathComponent("link")
        try Data(count: 70_000).write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let request = URLRequest(url: try #require(URL(string: "http://api.test/")))
        #expect(BodyLength.length(of: .file(link), request) == 70_000)
        let identity: FileIdentity? = FileIdentity(of: link)
        #expect(identity?.length == 70_000)
        #expect(identity == FileIdentity(of: file))
    }
}
