import Testing

@testable import AdapterProtocol

/// Each option's codec converts in three directions. A value that is lost in one of them leaves the configuration at
/// its default, which the comparisons with `!=` and `==` detect.
@Suite struct SettingTests {
    /// A value that no option has by default; nil for a structure, which the golden lines cover.
    private static func example(_ form: SettingForm) -> SettingValue? {
        switch form {
        case .boolean: .boolean(true)
        case .duration: .duration(.milliseconds(1500))
        case .integer(let range): .integer(range.upperBound)
        case .text, .url: .text("x")
        case .headers: .headers([HeaderField("X-A", "b")])
        case .word(let words): words.last.map { .text($0) }
        case .words(let words): .texts(Array(words.prefix(2)))
        case .structure: nil
        }
    }

    @Test func `a value of every session option reaches the other side of the wire`() throws {
        for setting in SessionConfiguration.settings {
            guard let value = Self.example(setting.form) else { continue }
            var configuration = SessionConfiguration()
            setting.assign(&configuration, value)
            #expect(configuration != SessionConfiguration(), "\(setting.name) assigns nothing")
            let line = AdapterCommand.makeSession(.main, configuration).encodedLine(sequence: 1)
            #expect(
                try AdapterCommand.decode(line: line).command == .makeSession(.main, configuration), "\(setting.name)")
        }
    }

    @Test func `a value of every task option reaches the other side of the wire`() throws {
        let plain = TaskDescription(task: "first", kind: .data, url: "http://api.test/")
        for setting in TaskDescription.settings {
            guard let value = Self.example(setting.form) else { continue }
            var task = plain
            setting.assign(&task, value)
            #expect(task != plain, "\(setting.name) assigns nothing")
            let line = AdapterCommand.makeTask(task).encodedLine(sequence: 1)
            #expect(try AdapterCommand.decode(line: line).command == .makeTask(task), "\(setting.name)")
        }
    }

    @Test func `no two options have the same key, and defaults need no capability`() {
        let session = SessionConfiguration.settings.map(\.name)
        let task = TaskDescription.settings.map(\.name)
        #expect(Set(session).count == session.count && Set(task).count == task.count)
        #expect(SessionConfiguration().needs.isEmpty)
        #expect(TaskDescription(task: "first", kind: .data, url: "http://api.test/").needs == [.data, .delegate])
    }
}
