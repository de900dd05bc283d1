import Instruments
import MarketData
import MarketState

/// The index prices of all assets whose spot markets are followed.
///
/// A pair that is traded has an index of its markets. The index in US dollars has the markets in stablecoins
/// and in other currencies as well, each converted by the coin's or currency's own index. A stablecoin's is
/// made of its dollar markets alone, a currency's of those and of the ones in stablecoins: so nothing
/// converts in a circle, and a coin that leaves its dollar takes no price along.
struct IndexPriceSet: Sendable {
    /// Coins that are meant to be worth a dollar.
    static let stablecoins: Set<String> = ["USDT", "USDC", "DAI", "FDUSD", "TUSD", "PYUSD", "USDE", "USDP"]

    /// Currencies of states, besides the dollar, that assets are traded in (ISO 4217).
    static let currencies: Set<String> = [
        "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "NZD", "SGD", "HKD", "KRW", "TRY", "BRL", "MXN", "ARS",
        "PLN", "CZK", "SEK", "NOK", "DKK", "UAH", "RON", "ZAR", "INR", "IDR", "THB", "AED",
    ]

    private static let dollar = Asset(rawValue: "USD")

    private var set: IndexSet?
    /// The instruments that the indices were made of.
    private var instruments: [Int: Instrument] = [:]
    /// The markets of some index.
    private(set) var markets: [Int] = []

    /// The indices of some instruments, by the caller's dense numbers of their markets.
    static func definitions(of instruments: [Int: Instrument]) -> [IndexDefinition] {
        var pairs: [AssetPair: [IndexDefinition.Market]] = [:]
        let spot = instruments.filter { $0.value.kind == .spot && $0.value.base != $0.value.quote }
        // tidy: unordered-iteration The markets of a pair are sorted below.
        for (number, instrument) in spot {
            let pair = AssetPair(base: instrument.base, quote: instrument.quote)
            pairs[pair, default: []].append(IndexDefinition.Market(number: number, quote: instrument.quote))
        }
        let direct = pairs
        // Coins first: a currency may have its price in dollars from them.
        for (money, others) in [(stablecoins, stablecoins), (currencies, stablecoins.union(currencies))] {
            let convertible = money.filter {
                pairs[AssetPair(base: Asset(rawValue: $0), quote: dollar)] != nil
            }
            // tidy: unordered-iteration As above.
            for (pair, markets) in direct where convertible.contains(pair.quote.rawValue) {
                guard pair.base != dollar, !others.contains(pair.base.rawValue) else { continue }
                pairs[AssetPair(base: pair.base, quote: dollar), default: []] += markets
            }
        }
        return pairs.sorted { $0.key < $1.key }.map { pair, markets in
            IndexDefinition(pair: pair, markets: markets.sorted { $0.number < $1.number })
        }
    }

    /// Makes the indices anew if the instruments are others.
    mutating func define(_ instruments: [Int: Instrument]) {
        guard instruments != self.instruments else { return }
        self.instruments = instruments
        let definitions = Self.definitions(of: instruments)
        // Definitions of this form need no index that is not there, and none in a circle.
        set = try? IndexSet(definitions)
        markets = Set(definitions.flatMap(\.markets).map(\.number)).sorted()
    }

    /// Takes the newest word of a market.
    mutating func update(market: Int, _ quote: IndexQuote) { set?.update(market: market, quote) }

    /// All indices at an instant.
    func evaluate(at now: Timestamp) -> [IndexValue] { set?.evaluate(at: now) ?? [] }
}

extension IndexQuote {
    /// A market by its book, with its volume of 24 hours.
    ///
    /// The price is the middle of the best bid and ask, which needs one decimal place more than they have.
    init(_ replica: BookReplica, volume: DecimalNumber?) {
        var price: DecimalNumber?
        if let bid = replica.book.bestBid, let ask = replica.book.bestAsk,
            let scale = Scale(replica.book.priceScale.places + 1)
        {
            let sum = bid.price.rawValue.addingReportingOverflow(ask.price.rawValue)
            let middle = sum.partialValue.multipliedReportingOverflow(by: 5)
            if !sum.overflow, !middle.overflow {
                price = DecimalNumber(units: middle.partialValue, scale: scale)
            }
        }
        self.init(
            price: price, volume: volume, state: replica.state, receivedTime: replica.receivedTime)
    }
}
