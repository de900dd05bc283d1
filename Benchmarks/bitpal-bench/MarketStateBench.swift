import Instruments
import MarketData
import MarketState
import Support

/// What is computed from books and trades: depth, candles, 24-hour statistics and search, on one core.
enum MarketStateBench {
    static func run() -> [Measurement] { depth() + trades() + [search()] }

    private static let price = Scale(2) ?? .zero
    private static let size = Scale(3) ?? .zero

    /// Nanoseconds of one call, of so many in a row; what the calls return is kept from being left out.
    private static func nanoseconds(_ count: Int, _ body: (Int) -> Int) -> Double {
        var sum = 0
        let started = seconds()
        for number in 0..<count { sum &+= body(number) }
        let elapsed = seconds() - started
        return sum == .min ? 0 : elapsed / Double(count) * 1e9
    }

    private static func depth() -> [Measurement] {
        var book = Book(priceScale: price, sizeScale: size)
        for level in Int64(0)..<1_000 {
            book.set(.bid, Price(6_000_000 - level * 7), Quantity(1 + level * 37 % 9_000))
            book.set(.ask, Price(6_000_100 + level * 7), Quantity(1 + level * 91 % 9_000))
        }
        var levels: [DepthLevel] = []
        let both = median {
            nanoseconds(10_000) { _ in
                Depth.accumulate(book.bids, best: 25, into: &levels)
                Depth.accumulate(book.asks, best: 25, into: &levels)
                return levels.count
            }
        }
        let top = median {
            nanoseconds(10_000) { number in
                book.set(.bid, Price(6_000_000), Quantity(Int64(number % 500 + 1)))
                let ratios = (Depth.microPrice(book), Depth.imbalance(book, best: 25))
                return (ratios.0 == nil ? 0 : 1) + (Depth.spreadInBasisPoints(book) == nil ? 0 : 1)
                    + (ratios.1 == nil ? 0 : 1)
            }
        }
        return [
            Measurement(
                "depth, 25 levels of both sides accumulated", "ns", both, goal: "2,000 ns",
                meets: both <= 2_000),
            Measurement(
                "micro-price, imbalance of 25 levels, spread", "ns", top, goal: "2,000 ns",
                meets: top <= 2_000),
        ]
    }

    private static func trades() -> [Measurement] {
        let trades = (0..<200_000).map(trade)
        let candles = median {
            var aggregator = CandleAggregator()
            return nanoseconds(trades.count) { aggregator.apply(trades[$0]) == .added ? 1 : 0 }
        }
        let day = median {
            var day = RollingDay(priceScale: price, sizeScale: size)
            return nanoseconds(trades.count) { number in
                do throws(CandleOverflow) {
                    try day.apply(trades[number])
                    return 1
                } catch {
                    return 0
                }
            }
        }
        return [
            Measurement(
                "a trade into the candles of nine intervals", "ns", candles, goal: "2,000 ns",
                meets: candles <= 2_000),
            Measurement("a trade into 24-hour statistics", "ns", day, goal: "2,000 ns", meets: day <= 2_000),
        ]
    }

    private static func trade(_ number: Int) -> Trade {
        let time = 1_700_000_000_000_000_000 + Int64(number) * 5_000_000
        return Trade(
            id: String(number), side: .buy, price: Price(Int64(6_000_000 + number % 97)),
            size: Quantity(Int64(1 + number % 1_000)), priceScale: price, sizeScale: size,
            venueTime: Timestamp(nanoseconds: time), receivedTime: .zero)
    }

    /// The time below which 99 of 100 searches over 50,000 instruments are answered.
    private static func search() -> Measurement {
        let entries = (0..<50_000).map(entry)
        let index = SearchIndex(entries)
        var times: [Double] = []
        for number in stride(from: 0, to: 50_000, by: 101) {
            let entry = entries[number]
            for query in [
                entry.base.rawValue, entry.id.symbol, String(entry.name.dropLast()), "usdt",
                "\(entry.id.venue) \(entry.kind.rawValue) \(entry.quote) \(entry.name)",
            ] {
                times.append(nanoseconds(1) { _ in index.search(query).count } / 1e6)
            }
        }
        let slow = times.sorted().percentile(0.99)
        return Measurement(
            "search over 50,000 instruments, p99", "ms", slow, goal: "10 ms", meets: slow <= 10)
    }

    private static func entry(_ number: Int) -> SearchEntry {
        // Spreads neighbouring numbers over the letters.
        var rest = number % 4_000 &* 2_654_435_761 % 11_881_376
        var letters = ""
        for _ in 0..<4 + number % 2 {
            letters.unicodeScalars.append(Unicode.Scalar(UInt8(65 + rest % 26)))
            rest /= 26
        }
        let quote = ["USDT", "USD", "USDC", "EUR", "BTC"][number % 5]
        let venue = Venue.known[number / 7 % Venue.known.count]
        return SearchEntry(
            id: InstrumentID(venue: venue, symbol: letters + (number % 2 == 0 ? "/" : "") + quote),
            base: Asset(rawValue: letters), quote: Asset(rawValue: quote),
            kind: number % 3 == 0 ? .perpetual : .spot, name: letters.lowercased() + "coin",
            category: ["meme", "layer 1", "defi"][number % 3], popularity: UInt64(number * 7_919 % 100_003))
    }
}
