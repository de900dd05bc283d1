import Glibc
import JSON

/// What an import did, for people and as one object of JSON.
struct ImportPage {
    /// As the gateway tells it.
    let report: JSONValue

    /// What is to be said of lines of the file, also where it is refused.
    var remarks: [String] { lines("remarks") }

    /// Says remarks beside the output.
    static func say(_ remarks: [String]) throws {
        let errors = StandardOutput(descriptor: STDERR_FILENO)
        for remark in remarks { try errors.writeLine("remark on \(remark)") }
        try errors.flush()
    }

    func print(json: Bool) throws {
        try Self.say(remarks)
        if json { return try ItemRows.lines([report]) }
        let output = StandardOutput()
        let verb = report.text("preview") == "true" ? "would be added" : "added"
        let skipped = lines("skipped")
        try output.writeLine(
            "\(report.text("rows")) rows read, \(report.text("added")) \(verb), \(skipped.count) lines skipped"
        )
        if !report.text("first").isEmpty {
            try output.writeLine("transactions \(report.text("first")) to \(report.text("last"))")
        }
        for note in report["settings"]?.elements ?? [] { try output.writeLine(note.text ?? "") }
        for line in skipped { try output.writeLine("skipped \(line)") }
        let unknown = report.texts("unknown_assets")
        if !unknown.isEmpty {
            try output.writeLine("no market of this installation trades \(unknown): taken as they are")
        }
        try output.flush()
    }

    /// Lines of the file, each with what there is to say of it.
    private func lines(_ key: String) -> [String] {
        (report[key]?.elements ?? []).map { "line \($0.text("line")): \($0.text("reason"))" }
    }
}
