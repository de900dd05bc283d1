import ForeignLedgers
import Instruments
import Portfolio

@testable import LedgerFiles

/// A file of a ledger; its first byte chooses the format, from `0` in the order of ``LedgerFormat``.
///
/// Each row has its line. What our own formats have is written as the same rows, and what holds together as a
/// ledger has lots, whichever way they are taken.
enum LedgerInput {
    /// The most rows of which lots are taken.
    private static let rowLimit = 200

    static func read(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let formats = LedgerFormat.allCases
        let (format, file) = (formats[Int(first &- 0x30) % formats.count], Array(bytes.dropFirst()))
        for options in [ImportOptions(), options] {
            guard let imported = try? format.read(file, options) else { continue }
            precondition(imported.lines.count == imported.transactions.count, "a row without its line")
            let lineCount = file.count { $0 == 0x0A } + 1
            precondition(
                imported.lines.allSatisfy { (1...lineCount).contains($0) }, "a line that is not there")
            if format == .csv || format == .json { checkWriting(imported, format) }
            _ = format.place(of: "BTC", field: "asset", line: imported.lines.last ?? 0, in: file)
            checkLots(imported)
        }
    }

    static func readPrices(_ bytes: [UInt8]) { _ = try? PriceCSV.read(bytes) }

    /// What the API says of a file besides its text.
    private static let options: ImportOptions = {
        var options = ImportOptions()
        options.wallet = "Main"
        options.zone = -5 * 3_600
        options.columns = [
            "When": "time", "What": "kind", "Coin": "asset", "Amount": "amount", "For": "counter_amount",
            "Currency": "counter_asset,fee_asset", "Fee": "fee_amount", "Id": "external_id",
        ]
        options.kinds = ["Bought": "buy", "Sold": "sell", "Sent": "skip"]
        return options
    }()

    private static func checkWriting(_ imported: ImportedLedger, _ format: LedgerFormat) {
        let rows = imported.transactions
        let written = format == .csv ? LedgerCSV.write(rows) : LedgerJSON.write(rows, imported.settings)
        let again = try? format.read(written)
        precondition(again?.transactions == rows, "rows changed on their way")
        let (settings, none) = (imported.settings, PortfolioSettings())
        precondition((again?.settings ?? none) == (settings ?? none), "settings changed on their way")
    }

    private static func checkLots(_ imported: ImportedLedger) {
        guard imported.transactions.count <= rowLimit, let ledger = try? imported.ledger() else { return }
        for method in LotMethod.allCases {
            for scope in LotScope.allCases {
                guard let report = try? LotReport(ledger, LotPolicy(method, scope)) else { continue }
                let moment = ledger.transactions.last?.time ?? .zero
                _ = Valuation(report, prices: PriceHistory(), at: moment).total
                _ = (report.realized, report.incomeTotal, report.feeTotal, report.costBasis)
                _ = GainReport(report, year: Int(moment.civilDay.year)).totals(isLong: true)
                precondition(
                    report.lots.allSatisfy { !$0.costBasis.isNegative }, "a lot that cost less than nothing")
            }
        }
    }
}
