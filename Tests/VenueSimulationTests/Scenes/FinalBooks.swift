import Foundation
import Instruments
import MarketData
import Support
import Testing

/// The books that a recording must end with: the best 25 levels of each side, from `expected/<name>/`.
struct FinalBooks {
    /// Prices and sizes as plain decimals by symbol, bids before asks, best first.
    let levels: [String: [String]]
    /// Trades in the whole recording.
    let trades: Int

    init(_ name: String) throws {
        let path = try #require(RecordingsFolder.expected(name, "summary.json"))
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let document = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let summary = try #require(document["summary"] as? [String: Any])
        trades = try #require(summary["trades"] as? Int)
        let books = try #require(document["final_book"] as? [String: [String: Any]])
        levels = try books.mapValues { book in
            try ["bids", "asks"].flatMap { side in
                try #require(book[side] as? [[String]]).map { row in
                    let numbers = try row.map { try DecimalNumber(parsing: $0).normalized }
                    return Self.words(price: numbers[0], size: numbers[1])
                }
            }
        }
    }

    /// The best 25 levels of each side of a book, in the same words.
    static func best(_ book: Book) -> [String] {
        let top = book.top(25)
        return (top.bids + top.asks).map { level in
            let (price, size) = (level.price.decimal(book.priceScale), level.size.decimal(book.sizeScale))
            return words(price: price, size: size)
        }
    }

    /// A size is cut at ten places: what some venues write behind them, from binary fractions, a book of
    /// large sizes has no room for.
    private static func words(price: DecimalNumber, size: DecimalNumber) -> String {
        let exact = size.normalized
        guard exact.scale.places > 10, let scale = Scale(10) else { return "\(price.normalized) \(exact)" }
        let surplus = exact.scale.places - scale.places
        let power: Int64 = (0..<surplus).reduce(1) { power, _ in power * 10 }
        let cut = DecimalNumber(units: exact.units / power, scale: scale)
        return "\(price.normalized) \(cut.normalized)"
    }
}
