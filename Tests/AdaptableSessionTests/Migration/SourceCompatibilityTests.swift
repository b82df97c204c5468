import Foundation
import Testing

/// Programs for URLSession compile with AdaptableSession and the file of type names alone, in both language modes, and the
/// list of members is complete and true. Each compilation takes seconds, so all programs are compiled together.
@Suite(.serialized) struct SourceCompatibilityTests {
    private static func programs(_ folder: String) throws -> [URL] {
        let folder = ClientCompiler.root.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
    }

    // MARK: Programs

    /// With Foundation alone the programs prove that they are spelled as URLSession wants it.
    @Test(arguments: ClientCompiler.Library.allCases, [5, 6])
    func `programs for URLSession compile`(library: ClientCompiler.Library, version: Int) async throws {
        let programs = try Self.programs("Tests/ClientPrograms")
        #expect(programs.count > 3)
        #expect(try await ClientCompiler.errors(in: programs, library, swift: version) == [])
    }

    @Test(arguments: [5, 6])
    func `members that only other platforms have in Foundation compile`(version: Int) async throws {
        let programs = try Self.programs("Tests/ClientPrograms/Documented")
        #expect(programs.count == 1)
        #expect(try await ClientCompiler.errors(in: programs, .adaptableSession, swift: version) == [])
        #expect(try await !ClientCompiler.errors(in: programs, .foundation, swift: version).isEmpty)
    }

    /// Members that must not exist: the correct form beside each shows that nothing else in the line is the error.
    @Test(arguments: [
        // UPLD-16: only a delegate can supply a stream again, so a streamed upload does not have a handler.
        (
            "func f(_ s: URLSession, _ r: URLRequest) { _ = s.uploadTask(withStreamedRequest: r) { _, _, _ in } }",
            "func f(_ s: URLSession, _ r: URLRequest) { _ = s.uploadTask(withStreamedRequest: r) }"
        ),
        (
            "func f(_ s: URLSession, _ r: URLRequest) async throws { _ = try await s.upload(withStreamedRequest: r) }",
            "func f(_ s: URLSession, _ r: URLRequest) async throws { _ = try await s.upload(for: r, from: Data()) }"
        ),
        // A session, a configuration and a task of one's own would be called on several threads.
        ("class C: URLSession {}", "class C: URLProtocol {}"),
        ("class C: URLSessionTask {}", "class C: URLCache {}"),
        ("let t = URLSessionTask()", "let t = URLSession(configuration: .default)"),
        // Would never be called.
        (
            "func f(_ d: any URLSessionStreamDelegate, _ s: URLSession, _ t: URLSessionStreamTask) "
                + "{ d.urlSession(s, betterRouteDiscoveredFor: t) }",
            "func f(_ d: any URLSessionStreamDelegate, _ s: URLSession, _ t: URLSessionStreamTask) "
                + "{ d.urlSession(s, readClosedFor: t) }"
        ),
        (
            "let d = URLSession.ResponseDisposition.becomeStream",
            "let d = URLSession.ResponseDisposition.becomeDownload"
        ),
        ("let c = URLSessionConfiguration()", "let c = URLSessionConfiguration.default"),
    ])
    func `what must not exist does not compile`(wrong: String, correct: String) async throws {
        #expect(try await !ClientCompiler.errors(inText: wrong, .adaptableSession, swift: 6).isEmpty)
        #expect(try await ClientCompiler.errors(inText: correct, .adaptableSession, swift: 6) == [])
    }

    // MARK: The list of members

    private static func aliases() throws -> [String: String] {
        let lines = try String(contentsOf: ClientCompiler.aliases, encoding: .utf8).split(separator: "\n")
        return Dictionary(
            uniqueKeysWithValues: lines.compactMap { line in
                let words = line.split(separator: " ").map(String.init)
                return words.first == "typealias" && words.count == 4 ? (words[1], words[3]) : nil
            })
    }

    @Test func `every public member of the family is in the list`() async throws {
        let members = try await ClientCompiler.members(of: .foundation)
        #expect(members.count > 400)
        let family = Dictionary(uniqueKeysWithValues: TypeMembers.family.map { ($0.type, $0) })
        for path in members {
            let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
            // Functions and constants outside of types stay Foundation's.
            guard parts.count == 2 || family[parts[0]] != nil else { continue }
            if TypeMembers.otherTypes[parts[0]] != nil { continue }
            let type = try #require(family[parts[0]], "the list lacks the type \(parts[0])")
            if parts.count == 2 { #expect(type.all.contains(parts[1]), "the list lacks \(path)") }
        }
    }

    @Test func `a member is present if the list says so, and only then`() async throws {
        let members = try await ClientCompiler.members(of: .adaptableSession)
        let foundation = try await ClientCompiler.members(of: .foundation)
        let aliases = try Self.aliases()
        #expect(Set(aliases.keys) == Set(TypeMembers.family.map(\.type)))
        for list in TypeMembers.family {
            let type = try #require(aliases[list.type])
            #expect(members.contains(type))
            func exists(_ member: String) -> Bool {
                if members.contains("\(type).\(member)") { return true }
                // The members of a nested type of Foundation, under its name.
                guard let nested = member.split(separator: ".").first.map(String.init), nested != member else {
                    return false
                }
                return members.contains("\(type).\(nested)") && foundation.contains("\(list.type).\(member)")
                    && !members.contains { $0.hasPrefix("\(type).\(nested).") }
            }
            for member in list.present.union(list.byDefaultArgument.values) {
                #expect(exists(member), "\(list.type).\(member) is not present")
            }
            for member in list.absent.keys { #expect(!exists(member), "\(list.type).\(member) is present") }
        }
    }

    @Test func `every absence has a sentence as its reason`() {
        for list in TypeMembers.family {
            #expect(list.present.isDisjoint(with: list.absent.keys))
            for (member, reason) in list.absent {
                #expect(reason.hasSuffix(".") && reason.contains(" "), "\(list.type).\(member)")
            }
        }
    }
}
