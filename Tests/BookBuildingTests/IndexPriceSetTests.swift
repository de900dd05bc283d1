import Instruments
import MarketData
import MarketState
import Support
import Testing

@testable import BookBuilding

@Suite("Indices of the followed markets")
struct IndexPriceSetTests {
    private let instruments = [
        0: spot("kraken", "BTC", "USD"), 1: spot("binance", "BTC", "USDT"), 2: spot("kraken", "USDT", "USD"),
        3: spot("kraken", "BTC", "EUR"), 4: spot("binance", "USDC", "USDT"),
        5: spot("bybit", "BTC", "USDT", .perpetual),
    ]

    @Test("are one for each pair, with stablecoins' markets in that of the dollar")
    func definitions() {
        let found = Dictionary(
            uniqueKeysWithValues: IndexPriceSet.definitions(of: instruments).map {
                ($0.pair.description, $0.markets.map(\.number))
            })
        let wanted = [
            "BTC-USD": [0, 1], "BTC-USDT": [1], "USDT-USD": [2], "BTC-EUR": [3], "USDC-USDT": [4],
        ]
        #expect(found == wanted)
    }

    @Test("have markets in other currencies that have an index themselves, and none in a circle")
    func currencies() throws {
        var markets = instruments
        markets[6] = spot("kraken", "EUR", "USD")
        markets[7] = spot("binance", "EUR", "USDT")
        markets[8] = spot("kraken", "EUR", "GBP")
        markets[9] = spot("binance", "GBP", "USDT")
        markets[10] = spot("kraken", "GBP", "EUR")
        markets[11] = spot("kraken", "USDT", "EUR")
        let found = Dictionary(
            uniqueKeysWithValues: IndexPriceSet.definitions(of: markets).map {
                ($0.pair.description, $0.markets.map(\.number))
            })
        #expect(found["BTC-USD"] == [0, 1, 3] && found["EUR-USD"] == [6, 7])
        #expect(found["GBP-USD"] == [9] && found["USDT-USD"] == [2])
        _ = try IndexSet(IndexPriceSet.definitions(of: markets))
        var board = IndexPriceSet()
        board.define(markets)
        let now = Timestamp(nanoseconds: 1_000_000_000_000)
        try board.update(market: 3, quote("90000", "3", at: now))
        try board.update(market: 6, quote("1.1", "1000", at: now))
        let bitcoin = board.evaluate(at: now).first { $0.pair.description == "BTC-USD" }
        #expect(bitcoin?.price?.normalized.description == "99000")
    }

    @Test("convert a coin at what it is worth, and have no price for what cannot be converted")
    func conversion() throws {
        var board = IndexPriceSet()
        board.define(instruments)
        let now = Timestamp(nanoseconds: 1_000_000_000_000)
        try board.update(market: 1, quote("100000", "3", at: now))
        try board.update(market: 0, quote("99000", "1", at: now))
        try board.update(market: 2, quote("0.99", "1000", at: now))
        func prices(_ board: IndexPriceSet) -> [String: String?] {
            let values = board.evaluate(at: now).map {
                ($0.pair.description, $0.price?.normalized.description)
            }
            return Dictionary(uniqueKeysWithValues: values)
        }
        #expect(prices(board)["BTC-USD"] == "99000")
        #expect(prices(board)["BTC-USDT"] == "100000")
        #expect(prices(board)["BTC-EUR"] == .some(nil))
        // A coin that leaves its dollar takes no price along: its market is an outlier or left out.
        try board.update(market: 2, quote("0.99", "1000", at: now, state: .stale))
        #expect(prices(board)["USDT-USD"] == .some(nil))
        #expect(prices(board)["BTC-USD"] == "99000")
    }

    @Test("take the middle of a book, exactly")
    func middle() throws {
        var fixture = try BookSetFixture(InstrumentID(venue: .kraken, symbol: "BTC/USD"))
        try fixture.snapshot("seq 1 | bids 100×2 | asks 101×1")
        let quote = IndexQuote(fixture.set[fixture.index].replica, volume: nil)
        #expect(quote.price?.normalized.description == "100.5")
        #expect(quote.state == .live)
    }
}

private func spot(
    _ venue: String, _ base: String, _ quote: String, _ kind: InstrumentKind = .spot
) -> Instrument {
    Instrument(
        id: InstrumentID(venue: Venue(rawValue: venue), symbol: "\(base)/\(quote)"),
        base: Asset(rawValue: base), quote: Asset(rawValue: quote), kind: kind, priceScale: .zero,
        sizeScale: .zero)
}

private func quote(
    _ price: String, _ volume: String, at now: Timestamp, state: BookState = .live
) throws -> IndexQuote {
    IndexQuote(
        price: try DecimalNumber(parsing: price), volume: try DecimalNumber(parsing: volume), state: state,
        receivedTime: now)
}
