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
                try row.elements.compactMap(\.text).map(plain).joined(separator: " ")
            }
            let top = book.top(best.count)
            let found = (side == "bids" ? top.bids : top.asks).map { level in
                "\(level.price.decimal(book.priceScale).normalized) \(level.size.decimal(book.sizeScale).normalized)"
            }
            guard found == best else {
                return "\(symbol): \(side) \(found.prefix(3)), expected \(best.prefix(3))"
            }
        }
        return nil
    }

    private func plain(_ text: String) throws -> String {
        try DecimalNumber(parsing: text).normalized.description
    }
}
