import Instruments
import Support
import Testing

@testable import Portfolio

@Suite("Valuation board")
struct ValuationSetTests {
    private static let currencies = ["USD", "EUR", "CHF"].map { Asset(rawValue: $0) }
    private static let assets =
        ["BTC", "ETH", "SOL", "USDT"].map { Asset(rawValue: $0) } + currencies

    private func quote(_ price: String, _ source: String = "index") throws -> LiveQuote {
        LiveQuote(price: try Amount(parsing: price), time: .zero, source: source)
    }

    private func pair(_ asset: String, _ currency: String) -> QuotePair {
        QuotePair(Asset(rawValue: asset), Asset(rawValue: currency))
    }

    private func holding(_ amount: String, _ asset: String) throws -> Holding {
        Holding(try Amount(parsing: amount), Asset(rawValue: asset))
    }

    @Test("values what has a price, names what has none, and never guesses")
    func missing() throws {
        var valuations = ValuationSet()
        let place = valuations.add(
            [try holding("2", "BTC"), try holding("3", "ETH"), try holding("10", "USD")],
            base: Asset(rawValue: "USD"))
        valuations.update(try quote("100.5"), of: pair("BTC", "USD"))
        let value = try #require(valuations.value(of: place))
        #expect(value.known.description == "211" && value.total == nil)
        #expect(value.missing.map(\.rawValue) == ["ETH"])
        valuations.update(try quote("1"), of: pair("ETH", "USD"))
        #expect(valuations.value(of: place)?.total?.description == "214")
    }

    @Test("a price that is made of several is worth as much as the weakest of them")
    func origins() throws {
        var valuations = ValuationSet()
        let place = valuations.add([try holding("2", "SOL")], base: Asset(rawValue: "USD"))
        var ticker = try quote("100", "ticker")
        ticker.origin = .ticker
        valuations.update(ticker, of: pair("SOL", "USDT"))
        valuations.update(try quote("1"), of: pair("USDT", "USD"))
        #expect(valuations.value(of: place)?.positions.first?.quote?.origin == .ticker)
        _ = valuations.takeChanged()
        // The same price, proven now, is news.
        valuations.update(try quote("100"), of: pair("SOL", "USD"))
        #expect(valuations.takeChanged() == [place])
        #expect(valuations.value(of: place)?.positions.first?.quote?.origin == .proven)
    }

    @Test("finds a price by way of another, and says where it is from")
    func crosses() throws {
        var valuations = ValuationSet()
        let place = valuations.add([try holding("2", "BTC")], base: Asset(rawValue: "CHF"))
        valuations.update(try quote("100", "index BTC-USD"), of: pair("BTC", "USD"))
        valuations.update(try quote("1.25", "ECB"), of: pair("EUR", "USD"))
        #expect(valuations.value(of: place)?.total == nil)
        valuations.update(try quote("0.95", "ECB"), of: pair("EUR", "CHF"))
        let position = try #require(valuations.value(of: place)?.positions.first)
        #expect(position.value?.description == "152")
        #expect(position.quote?.source == "index BTC-USD, ECB, ECB")
    }

    @Test("tells of a change once, and of a price that turns stale")
    func changes() throws {
        var valuations = ValuationSet()
        let place = valuations.add([try holding("2", "BTC")], base: Asset(rawValue: "USD"))
        let other = valuations.add([try holding("2", "ETH")], base: Asset(rawValue: "USD"))
        #expect(valuations.takeChanged() == [place, other])
        var price = try quote("5")
        valuations.update(price, of: pair("BTC", "USD"))
        valuations.update(price, of: pair("BTC", "USD"))
        #expect(valuations.takeChanged() == [place])
        // The same price of a later time is no change.
        price.time = Timestamp(nanoseconds: 5)
        valuations.update(price, of: pair("BTC", "USD"))
        #expect(valuations.takeChanged().isEmpty)
        price.stale = "nothing was heard of it"
        valuations.update(price, of: pair("BTC", "USD"))
        #expect(valuations.takeChanged() == [place])
        #expect(valuations.value(of: place)?.stale.map(\.rawValue) == ["BTC"])
        #expect(valuations.value(of: place)?.total?.description == "10")
        valuations.remove(place)
        #expect(valuations.value(of: place) == nil)
    }

    @Test("agrees with a valuation from nothing after any sequence of prices and portfolios")
    func model() {
        property { rng in
            var valuations = ValuationSet()
            var model: [ValuationSet.Place: (holdings: [Holding], base: Asset)] = [:]
            var book = LiveQuotes()
            for _ in 0..<rng.int(1...60) {
                switch rng.int(0...3) {
                case 0:
                    let base = rng.pick(Self.currencies)
                    let held = Self.assets.filter { _ in rng.chance(40) }.map { asset in
                        Holding(Amount(units: rng.int64() >> 20, places: rng.int(0...18)), asset)
                    }
                    model[valuations.add(held, base: base)] = (held.filter { !$0.amount.isZero }, base)
                case 1 where !model.isEmpty:
                    let place = rng.pick(model.keys.sorted())
                    valuations.remove(place)
                    model[place] = nil
                default:
                    let (asset, currency) = (rng.pick(Self.assets), rng.pick(Self.currencies))
                    guard asset != currency else { continue }
                    let price = Amount(units: Int64(rng.int(1...1_000_000)), places: rng.int(0...8))
                    let quote =
                        rng.chance(10)
                        ? nil : LiveQuote(price: price, time: .zero, source: "s\(rng.int(0...9))")
                    valuations.update(quote, of: QuotePair(asset, currency))
                    _ = book.set(QuotePair(asset, currency), quote)
                }
                for (place, portfolio) in model {
                    let value = try #require(valuations.value(of: place))
                    var known = Amount.zero
                    var missing: Set<Asset> = []
                    for holding in portfolio.holdings {
                        let price =
                            holding.asset == portfolio.base
                            ? Amount.one : book.quote(holding.asset, portfolio.base)?.price
                        if let price {
                            known += holding.amount * price
                        } else {
                            missing.insert(holding.asset)
                        }
                    }
                    try #require(value.known == known)
                    try #require(Set(value.missing) == missing)
                }
            }
        }
    }

    @Test("keeps sums exact whatever the size of amounts and prices")
    func wideSums() {
        property { rng in
            var valuations = ValuationSet()
            func number(_ digits: Int) throws -> Amount {
                var text = "\(rng.int(1...9))"
                for _ in 0..<rng.int(0...digits) { text += "\(rng.int(0...9))" }
                let places = rng.int(0...30)
                let zeros = String(repeating: "0", count: max(0, places + 1 - text.count))
                text = zeros + text
                guard places > 0 else { return try Amount(parsing: text) }
                text.insert(".", at: text.index(text.endIndex, offsetBy: -places))
                return try Amount(parsing: text)
            }
            var places: [(ValuationSet.Place, [Holding])] = []
            for _ in 0..<rng.int(1...5) {
                let held = try Self.assets.prefix(4).map { Holding(try number(40), $0) }
                places.append((valuations.add(held, base: Self.currencies[1]), held))
            }
            var prices: [Asset: Amount] = [:]
            for _ in 0..<rng.int(1...30) {
                let asset = rng.pick(Array(Self.assets.prefix(4)))
                prices[asset] = try number(rng.chance(50) ? 12 : 40)
                let quote = prices[asset].map { LiveQuote(price: $0, time: .zero, source: "s") }
                valuations.update(quote, of: QuotePair(asset, Self.currencies[1]))
                _ = valuations.takeChanged()
                for (place, held) in places {
                    let known = held.reduce(Amount.zero) { $0 + $1.amount * (prices[$1.asset] ?? .zero) }
                    try #require(valuations.value(of: place)?.known == known)
                }
            }
        }
    }
}
