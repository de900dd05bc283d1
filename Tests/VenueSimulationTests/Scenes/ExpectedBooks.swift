import Foundation
import Instruments
import JSON
import MarketData
import Recordings
import Support
import Testing

@testable import VenueSimulation

/// The final books and the number of trades that a recording must give, from `expected/<name>/summary.json`.
struct ExpectedBooks {
    /// Recordings whose venue can be simulated, but for those that take long.
    static let names = RecordingsFolder.names { header in
        header.records < 50_000 && DialectCatalogue.dialect(of: header.venue) != nil
    }

    let trades: Int
    private let books: [String: JSONValue]

    init(_ name: String) throws {
        let path = try #require(RecordingsFolder.expected(name, "summary.json"))
        let text = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let whole = try JSONValue(text[...], depthLimit: 32)
        trades = Int(try #require(whole["summary"]?["trades"]?.integer))
        guard case .object(let books)? = whole["final_book"] else {
            Issue.record("\(path) has no books")
            self.books = [:]
            return
        }
        self.books = Dictionary(books.map { ($0.0, $0.1) }) { first, _ in first }
    }

    var symbols: [String] { books.keys.sorted() }

    /// What differs between a book and the one that is expected: counts of levels, or the best 25.
    func difference(_ symbol: String, _ book: Book?) throws -> String? {
        let expected = try #require(books[symbol])
        guard let book else { return "\(symbol): no book" }
        for (side, ladder) in [("bids", book.bids), ("asks", book.asks)] {
            let count = Int(try #require(expected["n_\(side)"]?.integer))
            guard ladder.count == count else {
                return "\(symbol): \(ladder.count) \(side), expected \(count)"
            }
            let best = try (expected[side]?.elements ?? []).map { row in
                let numbers = try row.elements.map { try DecimalNumber(parsing: #require($0.text)) }
                return Self.words(price: numbers[0], size: numbers[1])
            }
            let top = book.top(best.count)
            let found = Self.words(side == "bids" ? top.bids : top.asks, of: book)
            guard found == best else {
                return "\(symbol): \(side) \(found.prefix(3)), expected \(best.prefix(3))"
            }
        }
        return nil
    }

    /// The best 25 levels of each side of a book as plain decimals, bids before asks.
    static func best(_ book: Book) -> [String] {
        let top = book.top(25)
        return words(top.bids + top.asks, of: book)
    }

    private static func words(_ levels: [BookLevel], of book: Book) -> [String] {
        levels.map { level in
            words(price: level.price.decimal(book.priceScale), size: level.size.decimal(book.sizeScale))
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
