import FoundationEssentials
import Record
import Testing

@testable import Conformance
@testable import ScenarioLanguage

@Suite struct NetworkCatalogueTests {
    @Test func `every profile is a network, and so are the composed ones`() {
        let names = NetworkCatalogue.builtIn.networks.map(\.name)
        #expect(Set(ProfileCatalogue.all.map(\.name)).isSubset(of: names))
        #expect(Set(names).count == names.count)
        for name in ["nat64", "nat64-lte", "ipv6-only", "wifi-then-cellular", "train"] { #expect(names.contains(name)) }
        #expect(NetworkCatalogue.builtIn.named("lte")?.plan.interfaces.map(\.kind) == [.cellular])
    }

    @Test func `all leaves out the networks on which transfers do not survive`() throws {
        let names = try NetworkSelection(["all"], catalogue: .builtIn).networks.map(\.name)
        #expect(names.contains("edge") && names.contains("nat64"))
        for name in ["lie-fi", "lossy-100", "elevator", "walk-out"] { #expect(!names.contains(name)) }
    }

    /// A run on each network shows that its file is complete.
    @Test func `a scenario runs on every built-in network`() throws {
        let text = Sample.good.replacing("network: { wifi: good-wifi }\n", with: "")
        for network in NetworkCatalogue.builtIn.networks {
            let cases = try ScenarioReader.cases(
                file: "x.yaml", text: text, checks: CheckCatalogue.all,
                on: try NetworkSelection([network.name], catalogue: .builtIn)
            ).get()
            #expect(cases.scenarios.map(\.id) == ["x@\(network.name)"])
        }
    }

    @Test func `an unknown network is one sentence with the nearest name`() {
        #expect {
            try NetworkSelection(["ltf"], catalogue: .builtIn)
        } throws: {
            "\($0)".hasPrefix("--network: unknown network `ltf`; did you mean `lte`?")
        }
    }

    private struct Folder: ~Copyable {
        let path = FileManager.default.temporaryDirectory.appending(path: "cw-networks-\(UUID().uuidString)").path
        init(_ files: KeyValuePairs<String, String>) throws {
            for (name, text) in files {
                let file = URL(fileURLWithPath: path).appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private static let office = "summary: The office\nnetwork: { wired: cable, addresses: ipv4 }\n"

    @Test func `a file is a network by its name`() throws {
        let folder = try Folder(["office.yaml": Self.office])
        let selection = try NetworkSelection([folder.path + "/office.yaml"], catalogue: .builtIn)
        #expect(selection.networks.map(\.name) == ["office"])
        #expect(selection.networks[0].file == folder.path + "/office.yaml")
        #expect(selection.networks[0].plan.families == .ipv4)
    }

    @Test func `the folder beside the scenarios is found`() throws {
        let folder = try Folder(["Scenarios/networks/office.yaml": Self.office, "Scenarios/a/b/x.yaml": ""])
        for path in ["Scenarios", "Scenarios/a/b/x.yaml", "Scenarios/a/"] {
            var catalogue = NetworkCatalogue.builtIn
            try catalogue.addFolders(beside: [folder.path + "/" + path])
            #expect(catalogue.named("office") != nil, "\(path)")
        }
        // A network is not a scenario.
        #expect(try ScenarioFiles.find(in: [folder.path]).map { $0.hasSuffix("/x.yaml") } == [true])
    }

    @Test(arguments: [
        ("lte.yaml", office, "`lte` is also the name of a built-in network; rename the file"),
        ("all.yaml", office, "`all` has a meaning for --network; rename the file"),
        ("a b.yaml", office, "letters, digits, dots and hyphens only"),
        ("x.yaml", "network: { wifi: lte }", "`summary`: One sentence: the network."),
        ("x.yaml", "summary: a\nnetwork: { wifi: lto }", "x.yaml:2:18: `wifi` is `lto`"),
        ("x.yaml", "summary: a\nnetwork: { wifi: lte }\nsteps: []", "key `steps`"),
        ("x.yaml", office + "timeline: [{ when: a.didComplete, set: { wired: down } }]", "cannot be observed"),
        ("x.yaml", office + "timeline: [{ when: { sinceStart: 1s }, set: { wifi: down } }]", "add it under `network`"),
    ])
    func `each mistake in a network file has a position`(name: String, text: String, error: String) throws {
        let folder = try Folder([name: text])
        let path = folder.path + "/" + name
        var catalogue = NetworkCatalogue.builtIn
        var found = ""
        do throws(ScenarioErrors) { try catalogue.add(file: path) } catch { found = error.description }
        #expect(found.contains(error), "\(found)")
    }
}
