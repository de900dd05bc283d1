import Instruments
import Portfolio
import Testing

/// Long and short terms, and the window of the wash-sale rule.
@Suite("Terms and windows")
struct TermTests {
    private static func time(_ text: String) throws -> Timestamp {
        try #require(Timestamp(iso8601: text))
    }

    @Test(
        "long is more than so many days, or never",
        arguments: [
            ("365", "2021-01-01T00:00:00Z", "short"), ("365", "2021-01-01T00:00:00.000000001Z", "long"),
            ("0", "2020-01-02T00:00:00Z", "short"), ("0", "2020-01-02T00:00:01Z", "long"),
            ("never", "2199-01-01T00:00:00Z", "short"),
        ])
    func longTerm(text: String, sold: String, word: String) throws {
        let term = try #require(LongTerm(text))
        #expect(term.description == text)
        // 2020 has 366 days.
        let acquired = try Self.time("2020-01-02T00:00:00Z")
        #expect(term.word(from: acquired, to: try Self.time(sold)) == word)
    }

    @Test("a term that is no number of days is none", arguments: ["", "-1", "73001", "1.5", "Never", "year"])
    func nonsense(text: String) { #expect(LongTerm(text) == nil) }

    @Test("a ledger's gains are long or short by its policy")
    func policy() throws {
        let (btc, usd) = (Asset(rawValue: "BTC"), Asset(rawValue: "USD"))
        let rows = try [("2020-01-01", TransactionKind.buy), ("2021-06-01", .sell)].map { day, kind in
            Transaction(
                time: try Self.time(day + "T00:00:00Z"), kind: kind, wallet: "A",
                subject: Holding(.one, btc), counter: Holding(.one, usd))
        }
        for (term, isLong) in [(LongTerm.standard, true), (.days(600), false), (.never, false)] {
            var policy = LotPolicy()
            policy.longTerm = term
            let report = try LotReport(Ledger(rows), policy)
            #expect(GainReport(report, year: 2021).lines.map(\.isLong) == [isLong])
            let words = FigureExplanation.lines(report.disposals[0], in: report).joined()
            #expect(words.contains(isLong ? "days, long" : "days, short"))
        }
    }

    @Test("the wash-sale window has the 30 days before the day of a sale, and the 30 after it, 61 in all")
    func window() throws {
        let window = LossCandidate.washSaleWindow(around: try Self.time("2024-03-31T15:00:00Z"))
        #expect(window.lowerBound == (try Self.time("2024-03-01T00:00:00Z")))
        #expect(window.upperBound == (try Self.time("2024-04-30T23:59:59.999999999Z")))
        let day: Int64 = 86_400_000_000_000
        #expect(window.upperBound.nanoseconds(since: window.lowerBound) == 61 * day - 1)
    }

    @Test("purchases inside the window are named, those outside and the lot's own are not")
    func candidates() throws {
        let (btc, usd) = (Asset(rawValue: "BTC"), Asset(rawValue: "USD"))
        let times = [
            "2024-02-29T23:59:59Z", "2024-03-01T00:00:00Z", "2024-03-31T20:00:00Z", "2024-04-30T23:00:00Z",
            "2024-05-01T00:00:00Z",
        ]
        let rows = try times.map { text in
            Transaction(
                time: try Self.time(text), kind: .buy, wallet: "A", subject: Holding(.one, btc),
                counter: Holding(Amount(units: 100), usd))
        }
        let sale = try Self.time("2024-03-31T15:00:00Z")
        let prices = PriceHistory([(btc, usd, PricePoint(time: .zero, price: .one))])
        let found = LossCandidate.all(in: try LotReport(Ledger(rows)), prices: prices, at: sale)
        #expect(found.map(\.lot.acquiredBy).sorted() == [0, 1, 2, 3, 4])
        for candidate in found {
            #expect(candidate.repurchases == [1, 2, 3].filter { $0 != candidate.lot.acquiredBy })
        }
    }
}
