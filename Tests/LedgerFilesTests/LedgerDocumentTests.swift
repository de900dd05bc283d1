import Instruments
import LedgerFiles
import Portfolio
import Shapes
import Support
import Testing

@Suite("The document of a ledger")
struct LedgerDocumentTests {
    private static let (usd, eur) = (Asset(rawValue: "USD"), Asset(rawValue: "EUR"))

    private static func time(_ rng: inout SeededGenerator) -> Timestamp {
        let second = Int64(rng.int(-4_000_000_000...8_000_000_000))
        return Timestamp(nanoseconds: second * 1_000_000_000 + rng.pick([0, 1, 500_000_000, 123_000]))
    }

    private static func amount(_ rng: inout SeededGenerator) -> Amount {
        Amount(units: Int64(rng.int(1...1_000_000_000)), places: rng.int(0...30))
    }

    private static func holding(_ rng: inout SeededGenerator) -> Holding {
        Holding(amount(&rng), Asset(rawValue: rng.pick(["BTC", "ETH", "USD", "Ünï/1"])))
    }

    private static func row(_ rng: inout SeededGenerator) -> Transaction {
        var row = Transaction(
            time: time(&rng), kind: rng.pick(TransactionKind.allCases), wallet: rng.text(1...12),
            subject: holding(&rng))
        if rng.chance(30) { row.toWallet = rng.text(1...12) }
        if rng.chance(50) { row.counter = holding(&rng) }
        if rng.chance(50) { row.fee = holding(&rng) }
        if rng.chance(50) { row.externalID = rng.text(1...12) }
        if rng.chance(50) { row.note = rng.text() }
        if rng.chance(50) { row.priceSource = rng.text() }
        for _ in 0..<rng.int(0...2) { row.tags.append(rng.text(1...6)) }
        for _ in 0..<rng.int(0...2) {
            let id = rng.text() + rng.pick(["", "=1", "\u{200D}"])
            row.lots.append(LotChoice(acquiredBy: id, amount: amount(&rng)))
        }
        return row
    }

    /// Prices in any order, some of one moment.
    private static func prices(_ rng: inout SeededGenerator) -> PriceHistory {
        var rows: [(asset: Asset, currency: Asset, point: PricePoint)] = []
        for _ in 0..<rng.int(0...12) {
            let asset = Asset(rawValue: rng.pick(["BTC", "ETH", "kraken:BTC/USD"]))
            let time = Timestamp(nanoseconds: Int64(rng.int(0...3)) * 1_000_000_000)
            rows.append((asset, rng.pick([usd, eur]), PricePoint(time: time, price: amount(&rng))))
        }
        return PriceHistory(rows)
    }

    private static func document(_ rng: inout SeededGenerator) throws -> LedgerDocument {
        let rows = (0..<rng.int(0...6)).map { _ in row(&rng) }
        var document = LedgerDocument(
            base: rng.pick([usd, eur]), settings: [],
            areExchanges: rng.chance(50) ? ["Kraken": true, "Cold \"1\"": false] : [:],
            imported: ImportedLedger(transactions: rows, lines: rows.indices.map { $0 * 3 + 1 }),
            prices: prices(&rng))
        for number in 0..<rng.int(0...3) {
            document.settings.append(
                .init(
                    from: Timestamp(nanoseconds: number == 0 ? .min : Int64(number) * 86_400_000_000_001),
                    method: rng.pick(LotMethod.allCases), scope: rng.pick(LotScope.allCases)))
        }
        if rng.chance(50) {
            let price = LivePrice(
                asset: "BTC", currency: "USD", price: amount(&rng).description, time: time(&rng),
                source: "index BTC-USD")
            document.live = [try #require(price)]
        }
        if rng.chance(50) { document.benchmark = Benchmark("kraken:BTC/USD", prices: prices(&rng)) }
        for number in 0..<rng.int(0...3) {
            let end = Timestamp(nanoseconds: Int64(number + 1) * 86_400_000_000_000)
            var day = DailyHistory.Day(end: end, value: rng.chance(70) ? amount(&rng) : nil)
            (day.inflow, day.outflow) = (amount(&rng), amount(&rng))
            document.days.append(day)
        }
        return document
    }

    @Test("gives where it is read what it was written from")
    func roundTrip() {
        property { rng in
            let document = try Self.document(&rng)
            let read = try LedgerDocument(reading: document.json)
            try #require(read.imported.transactions == document.imported.transactions)
            try #require(read.imported.lines == document.imported.lines)
            try #require(read.settings == document.settings && read.base == document.base)
            try #require(read.areExchanges == document.areExchanges && read.live == document.live)
            try #require(read.days.map(\.end) == document.days.map(\.end))
            try #require(read.days.map(\.value) == document.days.map(\.value))
            for (asset, currency) in [("BTC", Self.usd), ("ETH", Self.eur), ("kraken:BTC/USD", Self.usd)] {
                for second in -1...4 {
                    let (asset, time) = (
                        Asset(rawValue: asset), Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
                    )
                    try #require(
                        read.prices.price(of: asset, in: currency, at: time)
                            == document.prices.price(of: asset, in: currency, at: time))
                }
            }
            // Nothing else is in it.
            try #require(read.json == document.json)
        }
    }

    private static let empty =
        #"{"base":"USD","lot_settings":[],"exchanges":{},"transactions":[],"prices":[],"live":[],"#
        + #""benchmark":null,"days":[]}"#

    @Test(
        "names what cannot be read",
        arguments: [
            (#""base":"USD""#, #""base":null"#, "(base): is missing"),
            (#""exchanges":{}"#, #""exchanges":{"A":1}"#, "true or false is expected"),
            (#""transactions":[]"#, #""transactions":[7]"#, "an object is expected"),
            (#""transactions":[],"#, "", "(transactions): an array is expected"),
            (
                #""transactions":[]"#, #""transactions":[{"number":1,"kind":"bought"}]"#,
                "(kind): \"bought\" is no kind of transaction"
            ),
            (
                #""transactions":[]"#,
                #""transactions":[{"number":1,"kind":"buy","time":"soon","wallet":"A"}]"#,
                "(time): \"soon\" is no time"
            ),
            (
                #""prices":[]"#,
                #""prices":[{"asset":"BTC","currency":"USD","points":[["2026-01-02T00:00:00Z","x"]]}]"#,
                "a time and a price are expected"
            ),
            (#""days":[]"#, #""days":[{"day":"May"}]"#, "(day): \"May\" is no day"),
        ])
    func slips(part: String, other: String, words: String) throws {
        #expect(try LedgerDocument(reading: Array(Self.empty.utf8)).imported.transactions.isEmpty)
        #expect {
            _ = try LedgerDocument(reading: Array(Self.empty.replacing(part, with: other).utf8))
        } throws: { error in
            "\(error)".contains(words)
        }
    }

    @Test("prices of the moment are taken unless a close is newer or they are in another currency")
    func live() throws {
        let (btc, eth) = (Asset(rawValue: "BTC"), Asset(rawValue: "ETH"))
        func price(_ asset: String, _ currency: String, _ price: String, _ second: Int64) throws
            -> LivePrice
        {
            try #require(
                LivePrice(
                    asset: asset, currency: currency, price: price,
                    time: Timestamp(nanoseconds: second * 1_000_000_000), source: "index \(asset)"))
        }
        let close = PricePoint(time: Timestamp(nanoseconds: 5_000_000_000), price: .one)
        var book = PriceHistory([(btc, Self.usd, close), (eth, Self.usd, close)])
        let sources = book.take(
            [
                try price("BTC", "USD", "2", 6), try price("ETH", "USD", "2", 4),
                try price("SOL", "EUR", "2", 6),
            ], in: Self.usd)
        #expect(sources == [btc: "index BTC"])
        let later = Timestamp(nanoseconds: 7_000_000_000)
        #expect(book.price(of: btc, in: Self.usd, at: later)?.price == Amount(units: 2))
        #expect(book.price(of: eth, in: Self.usd, at: later)?.price == .one)
        #expect(LivePrice(asset: "A", currency: "USD", price: "0", time: .zero, source: "") == nil)
    }
}
