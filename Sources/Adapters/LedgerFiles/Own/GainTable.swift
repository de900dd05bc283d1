package import Instruments
package import Portfolio

/// Reports on gains as CSV.
package enum GainTable {
    /// The columns of Form 8949, parts I and II: short-term lines first, then long-term ones.
    ///
    /// Source: Internal Revenue Service, Form 8949 (2024 and 2025), heads of columns (a) to (h) as they stand
    /// there, and its instructions, read 2026-11: dates "Mo., day, yr." as MM/DD/YYYY, (h) is (d) less (e),
    /// combined with (g). Dollars and cents, each figure rounded half-even, the gain of the rounded figures.
    /// Boxes I and L: digital assets that no Form 1099-DA or 1099-B reports, from the tax year 2025 on;
    /// before that boxes C and F. Columns (f) and (g) stay empty, since nothing is adjusted: code B is for a
    /// basis that a broker reported wrongly, code W for a loss that a wash sale of securities disallows.
    ///
    /// The part is by ``LotReport/longTerm``. Publication 544 counts a year from the day after the
    /// acquisition, which is one day more in a leap year. A cost that is assumed, and a value by an old
    /// price, is said with the property. Unknown proceeds stay empty.
    package static func form8949(_ report: GainReport) -> [UInt8] {
        var bytes: [UInt8] = []
        TableReader.write(
            [
                "Part", "Box", "(a) Description of property", "(b) Date acquired (Mo., day, yr.)",
                "(c) Date sold or disposed of (Mo., day, yr.)", "(d) Proceeds (sales price)",
                "(e) Cost or other basis", "(f) Code(s) from instructions", "(g) Amount of adjustment",
                "(h) Gain or (loss)",
            ], to: &bytes)
        for isLong in [false, true] {
            for line in report.lines where line.isLong == isLong {
                let proceeds = line.proceeds?.rounded(places: 2)
                let cost = line.costBasis.rounded(places: 2)
                TableReader.write(
                    [
                        isLong ? "II" : "I", box(line.disposed, isLong),
                        "\(line.subject.amount) \(line.subject.asset)"
                            + (line.assumed == nil ? "" : " (cost assumed)")
                            + (line.stalePrice.map { " (by a price of \(date($0)))" } ?? ""),
                        date(line.acquired),
                        date(line.disposed), proceeds?.text(places: 2) ?? "", cost.text(places: 2),
                        "", "",
                        proceeds.map { ($0 - cost).text(places: 2) } ?? "",
                    ], to: &bytes)
            }
        }
        return bytes
    }

    /// Everything, in full precision.
    package static func generic(_ report: GainReport) -> [UInt8] {
        var bytes: [UInt8] = []
        TableReader.write(
            [
                "asset", "amount", "wallet", "acquired", "disposed", "proceeds", "cost_basis", "gain", "term",
                "assumed", "stale_price",
            ], to: &bytes)
        for line in report.lines {
            TableReader.write(
                [
                    line.subject.asset.rawValue, line.subject.amount.description, line.wallet,
                    line.acquired.plain, line.disposed.plain, line.proceeds?.description ?? "",
                    line.costBasis.description, line.gain?.description ?? "", line.isLong ? "long" : "short",
                    line.assumed?.rawValue ?? "", line.stalePrice?.plain ?? "",
                ], to: &bytes)
        }
        return bytes
    }

    /// Lots with losses, were they sold at a moment: facts, no advice.
    ///
    /// The window of the wash-sale rule is told with its first and last day, see
    /// ``LossCandidate/washSaleWindow(around:)``.
    package static func losses(
        _ candidates: [LossCandidate], _ report: LotReport, at sale: Timestamp
    ) -> [UInt8] {
        let window = LossCandidate.washSaleWindow(around: sale)
        let days = [window.lowerBound, window.upperBound].map {
            String($0.iso8601(fractionDigits: 0).prefix(10))
        }
        var bytes: [UInt8] = []
        TableReader.write(
            [
                "asset", "amount", "wallet", "acquired", "cost_basis", "value", "unrealized", "term",
                "wash_sale_window_days", "wash_sale_window_from", "wash_sale_window_to",
                "acquisitions_in_window",
            ], to: &bytes)
        for candidate in candidates {
            let times = candidate.repurchases.map { report.ledger.transactions[$0].time.plain }
            TableReader.write(
                [
                    candidate.lot.holding.asset.rawValue, candidate.lot.holding.amount.description,
                    candidate.lot.wallet, candidate.lot.acquired.plain, candidate.lot.costBasis.description,
                    candidate.value.description, candidate.unrealized.description,
                    candidate.isLong ? "long" : "short", "\(2 * LossCandidate.washSaleDays + 1)",
                    days[0], days[1], times.joined(separator: ";"),
                ], to: &bytes)
        }
        return bytes
    }

    private static func box(_ disposed: Timestamp, _ isLong: Bool) -> String {
        if disposed.civilDay.year < 2025 { return isLong ? "F" : "C" }
        return isLong ? "L" : "I"
    }

    private static func date(_ time: Timestamp) -> String {
        let (year, month, day) = time.civilDay
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(month))/\(two(day))/\(year)"
    }
}
