package import Instruments
package import JSON
package import Portfolio
package import Shapes

/// All that a report of a portfolio reckons with, as one document: it gives elsewhere what it gives where the
/// portfolio is kept.
package struct LedgerDocument: Sendable {
    /// The currency of the report.
    package var base: Asset
    /// How its lots are taken; none for the standard.
    package var settings: [LotPolicy.Change]
    /// Whether its wallets are accounts at an exchange, as far as their kinds say.
    package var areExchanges: [String: Bool]
    /// Its transactions; their lines are their numbers.
    package var imported: ImportedLedger
    /// Daily closes and reference rates of what it names; none unless they were asked for.
    package var prices: PriceHistory
    /// Prices of the moment; none unless they were asked for, or while nobody knows them.
    package var live: [LivePrice] = []
    /// What the performance is compared with, where that was asked for.
    package var benchmark: Benchmark?
    /// Days whose values were stored at the time; none unless they were asked for.
    package var days: [DailyHistory.Day] = []

    /// Joins what every report needs.
    package init(
        base: Asset, settings: [LotPolicy.Change], areExchanges: [String: Bool], imported: ImportedLedger,
        prices: PriceHistory
    ) {
        (self.base, self.settings, self.areExchanges) = (base, settings, areExchanges)
        (self.imported, self.prices) = (imported, prices)
    }
}

extension LedgerDocument: WireBody {
    package static let shape = BodyShape<LedgerDocument>("LedgerDocument") {
        Field("base", \.base.rawValue, "The currency of the report.", example: "USD")
        Field("lot_settings", \.settings, "How lots are taken; none for the standard.")
        Field(
            "exchanges", \.areExchanges,
            "Whether wallets are accounts at an exchange, as far as their kinds say.",
            example: ["Cold": false])
        Field("transactions", \.rows, "By number.")
        Field("prices", \.prices.lists, "Daily closes and reference rates.")
        Field("live", \.live, "Prices of the moment.")
        Field("benchmark", \.benchmark, "What the performance is compared with.")
        Field("days", \.days, "Days whose values were stored at the time, the earliest first.")
    }

    private var rows: [LedgerRow] {
        zip(imported.lines, imported.transactions).map { LedgerRow(number: $0, transaction: $1) }
    }
}

/// A transaction with its number.
private struct LedgerRow: WireBody {
    static let shape = BodyShape<LedgerRow>(
        "LedgerTransaction", "The columns of our own files; those that say nothing are left out."
    ) {
        Field("number", \.number, "Within its portfolio, from 1.", example: 1)
        Field("time", \.transaction.time.plain, as: .time, example: "2026-01-02T00:00:00Z")
        Field(
            "kind", \.transaction.kind.rawValue, as: .words(TransactionKind.allCases.map(\.rawValue)),
            example: "buy")
        Field("wallet", \.transaction.wallet, "Where it happened.", example: "Cold")
        Field(ifPresent: "to_wallet", \.transaction.toWallet, "Where a transfer went.")
        Field(all: \.transaction.subject)
        Field(
            ifPresent: "counter_asset", \.transaction.counter?.asset.rawValue,
            "What it was exchanged or valued in.", example: "USD")
        Field(
            ifPresent: "counter_amount", \.transaction.counter?.amount, "In the counter asset's own unit.",
            example: "15000")
        Field(ifPresent: "fee_asset", \.transaction.fee?.asset.rawValue)
        Field(ifPresent: "fee_amount", \.transaction.fee?.amount, "In the fee asset's own unit.")
        Field(ifPresent: "external_id", \.transaction.externalID.unlessEmpty, "As its source names it.")
        Field(ifPresent: "note", \.transaction.note.unlessEmpty)
        Field(
            ifPresent: "price_source", \.transaction.priceSource.unlessEmpty,
            "Where the counter amount comes from, in words.")
        Field(ifPresent: "tags", { $0.transaction.tags.isEmpty ? nil : $0.transaction.tags })
        Field(ifPresent: "lots", \.lots, "From which lots it is taken, each external_id=amount.")
    }

    var number: Int
    var transaction: Transaction

    private var lots: [String]? {
        transaction.lots.isEmpty ? nil : transaction.lots.map { "\($0.acquiredBy)=\($0.amount)" }
    }
}

extension String {
    fileprivate var unlessEmpty: String? { isEmpty ? nil : self }
}

/// The prices of one asset in one currency.
private struct PriceList: WireBody {
    static let shape = BodyShape<PriceList>("PriceList", "The prices of one asset in one currency.") {
        Field("asset", \.asset.rawValue, example: "BTC")
        Field("currency", \.currency.rawValue, "In which the prices are.", example: "USD")
        Field(
            "points", \.points, "Each a time and the price of one from then on, the earliest first.",
            example: [["2026-01-02T00:00:00Z", "60000"]])
    }

    var asset: Asset
    var currency: Asset
    var points: [PricePoint]
}

/// A pair without names: there are many of them.
extension PricePoint: WireValue {
    package static var schema: Schema { .array(.text(), 2...2) }

    package func write(to writer: inout JSONWriter) {
        writer.array { writer in
            writer.string(time.plain)
            writer.string(price.description)
        }
    }
}

extension PriceHistory {
    fileprivate var lists: [PriceList] {
        series.map { PriceList(asset: $0.asset, currency: $0.currency, points: $0.points) }
    }
}

extension Benchmark: WireBody {
    package static let shape = BodyShape<Benchmark>(
        "BenchmarkPrices", "An asset or an instrument, and what turns its prices into the base currency."
    ) {
        Field("name", \.name, example: .text(DocumentNode.instrumentName))
        Field("prices", \.prices.lists)
    }
}
