import Instruments
import JSON
import PortfolioStore
import Shapes
import Synchronization

/// Shows how far an import is; it is told on the connection's thread.
final class ImportProgress: Sendable {
    private let bar: Mutex<ProgressBar>
    private let isShown: Bool
    private let start: Timestamp

    init(total: Int) {
        bar = Mutex(ProgressBar("import", unit: "rows", total: total))
        // Small imports are done before anybody reads a line.
        isShown = total >= 5_000
        start = .now
    }

    func show(_ done: Int) {
        guard isShown, done > 0 else { return }
        let time = Timestamp.now.nanoseconds(since: start)
        // Who cannot be told how far it is is no reason to stop.
        bar.withLock { try? $0.show(done, after: time) }
    }

    func end(_ text: String) {
        guard isShown else { return }
        bar.withLock { try? $0.end(text) }
    }
}

/// What an import did, for people and as one object of JSON.
struct ImportPage {
    let report: ImportReport
    let rows: Int
    let isPreview: Bool

    func print(json: Bool) throws {
        if json {
            var line = JSONWriter()
            ImportReportBody(report, rows: rows, isPreview: isPreview).write(to: &line)
            line.endLine()
            return try StandardOutput.say(line.bytes)
        }
        let output = StandardOutput()
        let verb = isPreview ? "would be added" : "added"
        try output.writeLine(
            "\(rows) rows read, \(report.added) \(verb), \(report.skipped.count) lines skipped")
        if let numbers = report.transactions {
            try output.writeLine("transactions \(numbers.lowerBound) to \(numbers.upperBound)")
        }
        for note in report.settings { try output.writeLine(note) }
        for line in report.skipped { try output.writeLine("skipped line \(line.number): \(line.reason)") }
        if !report.unknownAssets.isEmpty {
            try output.writeLine(
                "no market of this installation trades "
                    + report.unknownAssets.map(\.rawValue).joined(separator: ", ") + ": taken as they are")
        }
        try output.flush()
    }
}
