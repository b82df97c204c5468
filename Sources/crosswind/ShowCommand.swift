import Record
import ArgumentParser
import Foundation
import Harness
import Lab
import LinkEngines
import Reports

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a record as text or as a web page with a timeline.",
        discussion: "Example: crosswind show .crosswind/latest/resume/reset-at-byte --html run.html")

    @Argument(help: "A record.jsonl, or the folder of a scenario's evidence.", completion: .file())
    var record: String

    @Option(help: "Write a web page with the timeline to this file.", completion: .file())
    var html: String?

    @Option(help: "Write the timeline as a picture to this file.", completion: .file())
    var svg: String?

    func run() throws {
        let read = try stopping { try RecordedRun.read(record) }
        if html == nil, svg == nil {
            let start = read.entries.first?.time ?? 0
            for entry in read.entries { print(RecordEntryFormat.line(entry, start: start)) }
            if read.outcome == nil { print("The record ends here: the run was cut short.") }
        }
        if let svg { try write(RunPage.svg(RunTimeline(read.entries)), to: svg) }
        if let html {
            try write(RunPage.html(ReportedRun(read.result, record: read.entries), record: read.entries), to: html)
        }
    }

    private func write(_ text: String, to file: String) throws {
        do { try EvidenceFile.write(text, to: file) } catch {
            throw stop(Status.machine, "cannot write \(file): \(reasonText(error))")
        }
    }
}
