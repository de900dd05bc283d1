import Instruments
import LedgerFiles
package import Shapes

/// What an import did, or would do.
package struct ImportReportBody: WireBody {
    package static let shape = BodyShape<ImportReportBody>("ImportReport") {
        Field("preview", \.isPreview, "Whether nothing was stored.", example: false)
        Field("rows", \.file.rows.count, "How many the file has.", example: 2)
        Field("added", \.report.added, "How many of them are new.", example: 2)
        Field("first", \.report.transactions?.lowerBound, "Number of the first new transaction.", example: 1)
        Field("last", \.report.transactions?.upperBound, "Number of the last one.", example: 2)
        Field(
            "unknown_assets", { $0.report.unknownAssets.map(\.rawValue) },
            "Taken though no market of this installation trades them.", example: [])
        Field(
            "settings", \.report.settings,
            "What became of wallets, lot settings and targets of a document of ours, each in one sentence.",
            example: [])
        Field("skipped", \.report.skipped, "Lines that added nothing, by line.", example: [])
        Field(
            "remarks", \.file.remarks, "Lines of which not all was taken, or that are odd, and why.",
            example: [])
    }

    private let report: ImportReport
    private let file: ImportedFile
    private let isPreview: Bool

    /// Of a file that was read.
    package init(_ report: ImportReport, of file: ImportedFile, isPreview: Bool) {
        (self.report, self.file, self.isPreview) = (report, file, isPreview)
    }
}

extension ImportedFile.Line: WireBody {
    package static let shape = BodyShape<ImportedFile.Line>("SkippedLine") {
        Field("line", \.number, "From 1.", example: 3)
        Field(
            "reason", \.reason, "Why it adds nothing or not all, or what is odd.",
            example: "it is there already")
    }
}

extension StoredImport: WireBody {
    package static let shape = BodyShape<StoredImport>("Import") {
        Field("made", \.made.plain, as: .time, example: "2026-11-21T12:00:00Z")
        Field("source", \.source, "The file's name.", example: "a.csv")
        Field("format", \.format, as: .words(LedgerFormat.allCases.map(\.rawValue)), example: "csv")
        Field("number", \.number, "Within its portfolio, from 1.", example: 1)
        Field("rows", \.rows, "How many were read.", example: 2)
        Field("added", \.added, "How many of them were new.", example: 2)
    }
}
