import Instruments
import MarketData
import Support

/// One instrument of a venue: its book, and every book that there was.
struct SpokenMarket: Sendable {
    let symbol: String
    private(set) var book = SpokenBook()
    private(set) var history: [SpokenBook]
    private var number = 1_000_000
    private let stride: Int

    init(symbol: String, stride: Int) {
        self.symbol = symbol
        self.stride = stride
        history = [book]
    }

    /// Something happens; returns what the venue says of it.
    mutating func move(_ random: inout SeededGenerator) -> Telling {
        let level = book.next(&random)
        let wasThere = book.size(level.side, at: level.price) != nil
        book.apply(level)
        history.append(book)
        number += stride
        return Telling(
            symbol: symbol, book: book, level: level, wasThere: wasThere, previous: number - stride,
            number: number)
    }

    /// The venue's numbers begin anew, as after a maintenance.
    mutating func countAnew() { number = 10 }

    /// The whole book, as of now.
    var whole: Telling { Telling(symbol: symbol, book: book, previous: number - stride, number: number) }

    /// Where in the history a book is first found from a place on; `nil` for one that never was.
    func place(of other: SpokenBook, from start: Int) -> Int? {
        history[start...].firstIndex(of: other)
    }
}

extension SpokenBook {
    /// A session's book; `nil` where it has parts of units.
    init?(_ book: Book) {
        self.init()
        for side in BookSide.allCases {
            for level in levels(side) { apply(SpokenLevel(side: side, price: level.price, size: 0)) }
            for level in (side == .bid ? book.bids : book.asks).top(.max) {
                let price = level.price.rawValue.quotientAndRemainder(dividingBy: book.priceScale.power)
                let size = level.size.rawValue.quotientAndRemainder(dividingBy: book.sizeScale.power)
                guard price.remainder == 0, size.remainder == 0 else { return nil }
                apply(SpokenLevel(side: side, price: Int(price.quotient), size: Int(size.quotient)))
            }
        }
    }
}

extension SpokenBook: CustomStringConvertible {
    /// As in `100×2 99×3 | 101×1`.
    var description: String {
        BookSide.allCases.map { side in
            levels(side).map { "\($0.price)×\($0.size)" }.joined(separator: " ")
        }.joined(separator: " | ")
    }
}
