package import Instruments
package import MarketData

/// Why a text is no book.
package struct BookTextError: Error, CustomStringConvertible {
    /// What was expected and what was there.
    package let description: String
}

/// A book as a test writes it: `seq 42 | bids 100.10×2 100.00×5 | asks 100.20×1`.
///
/// Parts may be left out. Both scales are those of the number with most decimal places, so `100.10×2` has a
/// price scale of two places and a size scale of none. As a delta the levels are absolute, `×0` removing one.
package struct BookText: Hashable, Sendable, CustomStringConvertible {
    /// After `seq`; `nil` when the text gives none.
    package var sequence: UInt64?
    /// Decimal places of all prices.
    package var priceScale = Scale.zero
    /// Decimal places of all sizes.
    package var sizeScale = Scale.zero
    /// In the order of the text.
    package var bids: [BookLevel] = []
    /// In the order of the text.
    package var asks: [BookLevel] = []

    private typealias Pair = (price: DecimalNumber, size: DecimalNumber)

    /// Parses the notation.
    ///
    /// - Throws: ``BookTextError`` naming what it cannot read, or a `DecimalError` for a number out of range.
    package init(_ text: String) throws {
        var bids: [Pair] = []
        var asks: [Pair] = []
        for part in text.split(separator: "|") {
            let words = part.split(separator: " ")
            switch words.first {
            case "seq":
                guard words.count == 2, let number = UInt64(words[1]) else {
                    throw BookTextError(description: "expected `seq` and a number, found `\(part)`")
                }
                sequence = number
            case "bids": bids = try words.dropFirst().map(BookText.pair)
            case "asks": asks = try words.dropFirst().map(BookText.pair)
            default: throw BookTextError(description: "expected seq, bids or asks, found `\(part)`")
            }
        }
        priceScale = (bids + asks).map(\.price.scale).max() ?? .zero
        sizeScale = (bids + asks).map(\.size.scale).max() ?? .zero
        self.bids = try bids.map(level)
        self.asks = try asks.map(level)
    }

    /// Describes a book, every level best first.
    package init(_ book: Book, sequence: UInt64? = nil) {
        self.sequence = sequence
        priceScale = book.priceScale
        sizeScale = book.sizeScale
        bids = book.bids.top(.max)
        asks = book.asks.top(.max)
    }

    /// The notation; sides without a level are named all the same.
    package var description: String {
        var parts = sequence.map { ["seq \($0)"] } ?? []
        for (name, levels) in [("bids", bids), ("asks", asks)] {
            let words = levels.map { "\($0.price.text(priceScale))×\($0.size.text(sizeScale))" }
            parts.append(([name] + words).joined(separator: " "))
        }
        return parts.joined(separator: " | ")
    }

    /// The levels as a book.
    package var book: Book {
        var book = Book(priceScale: priceScale, sizeScale: sizeScale)
        book.replace(bids: bids, asks: asks)
        return book
    }

    /// A snapshot that continues `seq` of a producer's stream; outside a stream when there is no `seq`.
    package func snapshot(
        _ state: BookState = .live, reason: BookStateReason = .verified, producer: String = "feed",
        epoch: UInt64 = 1, receivedTime: Timestamp = .zero
    ) -> BookSnapshot {
        BookSnapshot(
            state: state, reason: reason, priceScale: priceScale, sizeScale: sizeScale, bids: bids,
            asks: asks,
            continues: sequence.map { StreamPosition(producer: producer, epoch: epoch, sequence: $0) },
            venueTime: nil, receivedTime: receivedTime)
    }

    /// The levels as changes, bids first.
    package func delta(receivedTime: Timestamp = .zero) -> BookDelta {
        let changes =
            bids.map { BookLevelChange(side: .bid, price: $0.price, size: $0.size) }
            + asks.map { BookLevelChange(side: .ask, price: $0.price, size: $0.size) }
        return BookDelta(
            priceScale: priceScale, sizeScale: sizeScale, changes: changes, venueTime: nil,
            receivedTime: receivedTime)
    }

    private static func pair(_ word: Substring) throws -> Pair {
        let numbers = word.split(separator: "×")
        guard numbers.count == 2 else {
            throw BookTextError(description: "expected price×size, found `\(word)`")
        }
        return (
            try DecimalNumber(parsing: String(numbers[0])), try DecimalNumber(parsing: String(numbers[1]))
        )
    }

    private func level(_ pair: Pair) throws -> BookLevel {
        BookLevel(
            price: Price(try pair.price.rescaled(to: priceScale).units),
            size: Quantity(try pair.size.rescaled(to: sizeScale).units))
    }
}
