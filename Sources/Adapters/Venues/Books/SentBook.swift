import Instruments
import MarketData

/// A book in its venue's own texts: what a simulator needs to write the venue's own image of it.
package struct SentBook: Sendable {
    /// A level as it was sent, without quotes.
    package struct Level: Sendable {
        package let price: String
        package let size: String
    }

    /// Best first.
    package let bids: [Level]
    /// Best first.
    package let asks: [Level]
    /// The venue's number of the last message; `nil` where it numbers none.
    package let sequence: Int64?
    /// Of the best levels as they are.
    package let checksum: UInt32
}

/// A session that knows how its venue wrote its books.
package protocol SentBookKeeper: VenueSession {
    /// The book of an instrument as it was sent.
    ///
    /// - Parameter instrument: Whose; it has a book.
    /// - Returns: All its levels.
    func sentBook(of instrument: InstrumentIndex) -> SentBook
}

extension LinkedBooks {
    /// A book that is kept here as it was sent.
    func sentBook(_ book: borrowing Book, of index: InstrumentIndex) -> SentBook {
        var texts = links[index.offset].texts
        texts.align(to: book.priceScale)
        let (bids, asks) = book.top(.max)
        func levels(_ levels: [BookLevel], _ side: BookSide) -> [SentBook.Level] {
            levels.compactMap { texts.level(side, $0.price) }
                .map { SentBook.Level(price: $0.price, size: $0.size) }
        }
        return SentBook(
            bids: levels(bids, .bid), asks: levels(asks, .ask), sequence: links[index.offset].sequence,
            checksum: texts.checksum(of: book))
    }
}
