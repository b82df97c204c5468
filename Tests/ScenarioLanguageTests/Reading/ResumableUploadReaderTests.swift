@testable import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests of resumable uploads on a route, and of errors for options that a version of the draft lacks.
struct ResumableUploadReaderTests {
    private func read(_ upload: String, origin: String = "", route: String = "") -> Result<Scenario, ScenarioErrors> {
        ScenarioReader.read(
            file: "x",
            text: Sample.good(
                replacing: "  /a: { text: hi }",
                with: "\(origin)  /a: { text: hi, resumableUpload: { \(upload) }\(route) }"))
    }

    private func plan(_ upload: String) throws -> ResumableUploadPlan? {
        try read(upload).get().origin.routes[0].resumableUpload
    }

    private func diagnostic(_ upload: String, origin: String = "", route: String = "") -> String {
        switch read(upload, origin: origin, route: route) {
        case .success: return "none"
        case .failure(let errors): return errors.errors.map { "\($0)" }.joined(separator: "\n")
        }
    }

    @Test func `without options it follows the current draft`() throws {
        let plan = try plan("")
        #expect(plan == ResumableUploadPlan())
        #expect(plan?.version == .version8)
        #expect(plan?.announces == true && plan?.progressEvery == nil && plan?.keepsMultiplesOf.bytes == 1)
    }

    @Test(arguments: [(3, ResumableUploadPlan.Version.version3), (5, .version5), (6, .version6), (8, .version8)])
    func `each version has its number`(number: Int, version: ResumableUploadPlan.Version) throws {
        #expect(try plan("version: \(number)")?.version == version)
        #expect(try plan("version: \(number)")?.acceptsAnyVersion == false)
    }

    @Test func `any version can be accepted`() throws {
        #expect(try plan("version: any, progressEvery: 64KiB")?.acceptsAnyVersion == true)
        #expect(diagnostic("version: any, maximumSize: 1MiB").contains("which not every version has"))
        #expect(diagnostic("version: 7").contains("`version` is `7`") || diagnostic("version: 7").contains("one of"))
    }

    @Test func `all options reach the plan`() throws {
        var wanted = ResumableUploadPlan()
        wanted.version = .version6
        wanted.announces = false
        wanted.progressEvery = ByteCount(65_536)!
        wanted.keepsMultiplesOf = ByteCount(1_024)!
        wanted.maximumSize = ByteCount(1 << 20)!
        #expect(
            try plan("version: 6, announce: false, progressEvery: 64KiB, keepsMultiplesOf: 1KiB, maximumSize: 1MiB")
                == wanted)
    }

    @Test func `an option that a version lacks is refused with the versions that support it`() {
        #expect(diagnostic("version: 3, progressEvery: 64KiB").contains("version 3 does not report progress"))
        #expect(diagnostic("version: 5, maximumSize: 1MiB").contains("use 6 or 8"))
        #expect(diagnostic("progressEvery: 0").contains("`progressEvery` is at least 1B"))
        #expect(diagnostic("keepsMultiplesOf: 0").contains("`keepsMultiplesOf` is at least 1B"))
    }

    @Test func `it is refused with credentials and in HTTP 2`() {
        #expect(
            diagnostic("", route: ", basic: { user: u, password: p, realm: r }").contains("cannot require credentials"))
        #expect(diagnostic("", origin: "  protocols: [h2, http/1.1]\n").contains("served over HTTP/1.1"))
    }
}
