import Instruments
import Portfolio
import Statistics
import Support
import Testing

/// Days with the arithmetic done by hand.
@Suite("Daily history")
struct HistoryTests {
    private static let (btc, usd, eur) = (
        Asset(rawValue: "BTC"), Asset(rawValue: "USD"), Asset(rawValue: "EUR")
    )

    private static func time(_ text: String) throws -> Timestamp {
        try #require(Timestamp(iso8601: "2023-01-\(text):00:00Z"))
    }

    private static func row(
        _ hour: String, _ kind: TransactionKind, _ amount: Int64, _ asset: Asset, for dollars: Int64? = nil
    ) throws -> Transaction {
        Transaction(
            time: try time(hour), kind: kind, wallet: "A", subject: Holding(Amount(units: amount), asset),
            counter: dollars.map { Holding(Amount(units: $0), usd) })
    }

    /// Bitcoin at 100 dollars, and at 300 from the third day on.
    private static func history(_ rows: [Transaction]) throws -> DailyHistory {
        let prices = PriceHistory([
            (btc, usd, PricePoint(time: .zero, price: Amount(units: 100))),
            (btc, usd, PricePoint(time: try time("03T00"), price: Amount(units: 300))),
        ])
        return DailyHistory(try Ledger(rows), base: usd, prices: prices, until: try time("03T12"))
    }

    private static func sums(_ history: DailyHistory) -> [String] {
        let inflow = history.days.reduce(Amount.zero) { $0 + $1.inflow }
        let outflow = history.days.reduce(Amount.zero) { $0 + $1.outflow }
        return [
            inflow, outflow, history.impliedContributions, history.capital, history.days.last?.value,
            history.owed,
        ].map { $0?.description ?? "unknown" }
    }

    @Test("a deposit that is booked after the purchase is the same money once")
    func lateDeposit() throws {
        let history = try Self.history([
            Self.row("01T10", .buy, 1, Self.btc, for: 100), Self.row("01T11", .deposit, 150, Self.usd),
        ])
        // 150 put in, of which 100 a while before: 50 dollars and a bitcoin of 300.
        #expect(Self.sums(history) == ["150", "0", "0", "150", "350", "0"])
    }

    @Test("money that nobody put in by a row comes back with the sale, and again is no second capital")
    func trading() throws {
        let history = try Self.history([
            Self.row("01T10", .buy, 1, Self.btc, for: 100), Self.row("01T11", .sell, 1, Self.btc, for: 150),
            Self.row("02T10", .buy, 1, Self.btc, for: 150), Self.row("03T11", .sell, 1, Self.btc, for: 300),
        ])
        // In 100 and 100, out 100 and 100: 50 + 150 are gains, and all that is held.
        #expect(Self.sums(history) == ["200", "200", "200", "100", "200", "0"])
        let series = try #require(history.series)
        // 1.5 × 2 × ... : the second day holds 50 and 100 more, worth 150 and 100 at its end.
        #expect(series.days.map(\.value) == [50, 100, 200])
    }

    @Test("what is owed at the end is in no value, and what has no price makes it unknown")
    func owed() throws {
        let open = try Self.history([Self.row("01T10", .buy, 1, Self.btc, for: 100)])
        #expect(Self.sums(open) == ["100", "0", "100", "100", "300", "100"])
        let unknown = try Self.history([
            Self.row("01T10", .deposit, 100, Self.usd), Self.row("01T11", .fee, 10, Self.eur),
        ])
        #expect(unknown.hasUnknownFlows && unknown.series == nil && unknown.owed == nil)
        #expect(unknown.days.last?.value == nil && unknown.missingPrices == [Self.eur])
    }

    @Test("a day says what had no price, and what counts by the last price that was known")
    func marks() throws {
        let rows = try [
            Self.row("01T10", .opening, 1, Self.btc, for: 100), Self.row("02T10", .deposit, 5, Self.eur),
        ]
        // A price of the first day: old when the sixth ends, more than four days later.
        let prices = PriceHistory([(Self.btc, Self.usd, .init(time: try Self.time("01T00"), price: .one))])
        let history = DailyHistory(
            try Ledger(rows), base: Self.usd, prices: prices, until: try Self.time("06T12"))
        #expect(history.days.map(\.stalePrices) == [[], [], [], [], [Self.btc], [Self.btc]])
        #expect(history.days.map(\.missingPrices) == [[]] + Array(repeating: [Self.eur], count: 5))
        #expect(history.days.map { $0.value == nil } == [false, true, true, true, true, true])
        #expect(history.stalePrices == [Self.btc] && history.missingPrices == [Self.eur])
        #expect(history.days.map(\.hasKnownFlows) == [true, false, true, true, true, true])
    }

    @Test("the last days begin with what was there before them")
    func ranges() throws {
        let history = try Self.history([
            Self.row("01T10", .buy, 1, Self.btc, for: 100), Self.row("02T10", .deposit, 50, Self.usd),
            Self.row("03T10", .deposit, 7, Self.usd),
        ])
        let part = history.last(2)
        // 100 at first; both deposits pay what was owed; then 200 more by the price.
        #expect(part.startValue?.description == "100" && part.days.count == 3)
        #expect(part.days.map { $0.value?.description } == ["100", "100", "300"])
        #expect(part.capital.description == "100")
        #expect(part.series?.returns == [0, 0, 2])
        #expect(history.last(9).days.count == 3 && history.last(9).startValue == .zero)
    }

    @Test("value, contributions and what is owed agree with balances for every ledger")
    func agreement() {
        property { rng in
            let made = RandomLedger(&rng)
            let ledger = try Ledger(made.rows)
            let report = try LotReport(ledger, prices: made.book)
            let history = DailyHistory(ledger, base: Self.usd, prices: made.book, until: made.end)
            let total = try #require(Valuation(report, prices: made.book, at: made.end).total)
            let owed = try #require(history.owed)
            try #require(history.days.last?.value == total + owed)
            try #require(!history.impliedContributions.isNegative && !history.capital.isNegative)
        }
    }
}
