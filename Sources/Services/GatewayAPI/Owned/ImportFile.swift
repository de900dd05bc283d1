import ForeignLedgers
import GatewayFrame
import Instruments
import LedgerFiles
import Portfolio
import PortfolioStore
import Shapes

/// A file of transactions as a client sends it.
struct ImportFile: WireInput {
    /// For a table of any form: which column and word means what.
    struct Mapping: WireInput {
        static let shape = InputShape("ImportMapping", Self.init(columns:kinds:)) {
            InputField(
                "columns", .optional(.members(of: .text)),
                "Our column for each of the file's; several, with commas between them, of one for several.")
            InputField("kinds", .optional(.members(of: .text)), "Our kind for each of the file's words.")
        }

        var columns: [String: String]?
        var kinds: [String: String]?
    }

    static let shape = InputShape(
        "ImportFile", Self.init(format:text:mapping:source:wallet:zone:base:takesUnknownAssets:)
    ) {
        InputField("format", .choice(LedgerFormat.self), example: "csv")
        InputField(
            "text", .text, "What the file has.",
            example: "time,kind,wallet,asset,amount\n2026-01-03T00:00:00Z,deposit,Cold,USD,7\n")
        InputField("mapping", .optional(.object(Mapping.self)), "For the format mapped.")
        InputField("source", .optional(Self.sourceName), "The file's name, for people.")
        InputField(
            "wallet", .optional(.text), "The wallet of rows that name none; the format's own name else.")
        InputField(
            "zone", .optional(Self.zoneOffset), "The zone of times that name none, such as +01:00 or Z.")
        InputField(
            "base", .optional(.text),
            "The currency of values that name none; the portfolio's unless said otherwise.")
        InputField(
            "allow_unknown_assets", .flag.otherwise(false, false),
            "Takes assets that no market of this installation trades; else they are refused.")
    }

    private static let sourceName = InputKind.text.documented(.text(length: 1...200))
        .map(accepted: "one line of 1...200 bytes") { name in
            (1...200).contains(name.utf8.count) && name.utf8.allSatisfy { $0 >= 0x20 } ? name : nil
        }

    /// Seconds east of Greenwich.
    private static let zoneOffset = InputKind.text.map(accepted: "a zone such as +01:00 or Z") {
        ImportOptions.zone($0)
    }

    var format: LedgerFormat
    var text: String
    var mapping: Mapping?
    var source: String?
    var wallet: String?
    var zone: Int?
    var base: String?
    var takesUnknownAssets: Bool

    /// Where in the text stands what the store refuses; `nil` where it is nothing of the text.
    func place(of refused: PortfolioRefused, in ledger: ImportedLedger) -> FileFault? {
        guard let index = refused.index, ledger.lines.indices.contains(index) else { return nil }
        var place = FileFault(line: ledger.lines[index], "")
        switch refused.reason {
        case .ledger(var error):
            error.index = index
            return ledger.fault(of: error)
        case .unknownAsset(let unknown):
            let name = unknown.asset.rawValue
            return format.place(of: name, field: unknown.field, line: place.line, in: Array(text.utf8))
        case .fault(let fault): place.field = fault.field
        case .unreadable(let field, _, _): place.field = field
        case .conflictingID, .repeatedID: place.field = "external_id"
        case .quota, .breaks, .noSuchPortfolio, .noSuchTransaction, .changedMeanwhile, .noSuchUser,
            .unknownBenchmark:
            break
        }
        place.column = ledger.column(place.field)
        return place
    }

    /// What it holds, as it is read and as it is stored; `base` is the portfolio's currency.
    ///
    /// - Throws: `Problem` that names the line of the text.
    func read(base: Asset) throws(Problem) -> (ledger: ImportedLedger, file: ImportedFile) {
        var options = ImportOptions()
        options.base = self.base.map { Asset(rawValue: $0) } ?? base
        guard options.base.isCurrency else {
            throw .invalid("base", self.base, accepted: "a currency such as USD or EUR")
        }
        options.wallet = wallet
        options.columns = mapping?.columns ?? [:]
        options.kinds = mapping?.kinds ?? [:]
        options.zone = zone
        do {
            let read = try format.read(Array(text.utf8), options)
            var file = ImportedFile(
                source: source ?? "\(format.rawValue) sent to the API", format: format.rawValue,
                rows: read.transactions, lines: read.lines,
                skipped: read.skipped.map { ImportedFile.Line($0.line, $0.reason) })
            file.takesUnknownAssets = takesUnknownAssets
            file.remarks = read.remarks.map { ImportedFile.Line($0.line, $0.reason) }
            file.settings = read.settings
            return (read, file)
        } catch {
            throw Problem(error)
        }
    }
}
